import { z } from "zod";
import { releaseSchema } from "../../config/checks/release.ts";
import type { Client } from "../../supabase/client-context.ts";
import { askServer } from "../ask-server.ts";

const responseSchema = z.object({
  checks: z.array(
    z.object({
      id: z.string(),
      severity: z.enum(["error", "warning"]),
      text: z.string(),
      action: z.nullable(z.string()),
      fixAt: z.string(),
      step: z.nullable(z.string()),
    }),
  ),
  release: z.nullable(releaseSchema),
});
export type SiteReport = z.infer<typeof responseSchema>;
export type Check = SiteReport["checks"][number];

/** What the checks look at in the database. */
export const checkedTables = ["posts", "testimonials", "public_site_settings"] as const;

/** Whether only the person who runs the server can fix it: by a setting or a command there, not on a page. */
export function isForServer({ fixAt }: Check): boolean {
  return !fixAt.startsWith("/");
}

export function textForServer(siteUrl: string, checks: readonly Check[]): string {
  const lines = checks.map(({ text }) => `- ${text}`);
  return [`What the site at ${siteUrl} needs from whoever runs its server:`, ...lines].join("\n");
}

/** What is wrong with the site, errors first, and a newer release. @throws for everyone but owners */
export async function readReport(client: Client): Promise<SiteReport> {
  return responseSchema.parse(await askServer(client, "/manage/checks.json"));
}
