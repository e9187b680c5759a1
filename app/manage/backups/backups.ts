// The backups of the site, which its server makes every night. A hosted project has those of its platform.
import { z } from "zod";
import type { Client } from "../../supabase/client-context.ts";

const outcomeSchema = z.nullable(z.object({ at: z.string(), problem: z.nullable(z.string()) }));
const listSchema = z.object({
  /** The newest first. */
  backups: z.array(z.object({ name: z.string(), madeAt: z.string(), bytes: z.number() })),
  /** The last attempts. */
  backup: outcomeSchema,
  trial: outcomeSchema,
});
export type BackupList = z.output<typeof listSchema>;
export type StoredBackup = BackupList["backups"][number];

/** @returns null with a hosted project. @throws for everyone but owners */
export async function readBackups(client: Client): Promise<BackupList | null> {
  const response = await ask(client, "list.json");
  const body: unknown = await response.json();
  return z.object({ isHosted: z.literal(true) }).safeParse(body).success
    ? null
    : listSchema.parse(body);
}

export const backupsQuery = { key: ["backups"], read: readBackups, tables: [] };

/**
 * Allows this browser one download, in the next minute.
 * @param client with a session that has just begun
 * @throws an Error with a sentence for the owner
 */
export async function allowDownload(client: Client, name: string): Promise<void> {
  await ask(client, "ticket", { name });
}

async function ask(client: Client, path: string, body?: object): Promise<Response> {
  const { data, error } = await client.auth.getSession();
  if (error) throw error;
  const response = await fetch(`/manage/backups/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${data.session?.access_token}`,
      ...(body && { "content-type": "application/json" }),
    },
    body: body ? JSON.stringify(body) : null,
  });
  if (response.ok) return response;
  const { data: said } = z
    .object({ error: z.string() })
    .safeParse(await response.json().catch(() => null));
  throw new Error(said?.error ?? "The server did not answer. Please try again.");
}
