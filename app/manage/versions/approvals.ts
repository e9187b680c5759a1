// Approvals of posts, pages and sections of the settings, as the database keeps them. It enforces them; the forms only ask.
import { z } from "zod";
import type { Client } from "../../supabase/client-context.ts";
import type { Thing } from "./content-store.ts";

const settingsSchema = z.object({
  authors: z.array(z.string()).catch([]),
  needApproval: z.boolean().catch(false),
  ownersNeedApproval: z.boolean().catch(false),
  settingsNeedApproval: z.boolean().catch(false),
});

const decisionSchema = z.object({
  number: z.number(),
  event: z.enum(["submitted", "approved", "returned"]),
  document: z.json(),
  at: z.string(),
  by_id: z.nullable(z.string()),
  by_name: z.string(),
  by_email: z.nullable(z.string()),
  /** Who had made the link at which the name was typed. */
  link_by_name: z.nullable(z.string()),
  comment: z.string(),
});
/** A submission, or what was decided about it. */
export type Decision = z.infer<typeof decisionSchema>;

export type WritersSettings = z.infer<typeof settingsSchema>;

/** The settings that writers need and visitors do not get. @param blog the section, if it was published */
export function writersSettingsOf(blog: unknown): WritersSettings {
  return settingsSchema.parse(blog ?? {});
}

export async function readWritersSettings(client: Client): Promise<WritersSettings> {
  const blog = client.from("site_settings").select("document").eq("section", "blog");
  return writersSettingsOf((await blog.maybeSingle().throwOnError()).data?.document);
}

/**
 * Reads the newest submission or decision (null: there is none), and whether owners need approval as well.
 * @param known the settings, where they were read already
 * @returns null unless this kind needs approval
 */
export async function readApproval(
  client: Client,
  { kind, thing }: Thing,
  known?: WritersSettings,
): Promise<{ newest: Decision | null; ownersNeedIt: boolean } | null> {
  const settings = known ?? (await readWritersSettings(client));
  const isSection = kind === "section";
  if (!settings.needApproval || (isSection && !settings.settingsNeedApproval)) return null;
  const versions = client.from("versions").select("*").eq("kind", kind).eq("thing", thing);
  const newest = versions
    .in("event", decisionSchema.shape.event.options)
    .order("number", { ascending: false })
    .limit(1)
    .maybeSingle();
  return {
    newest: z.nullable(decisionSchema).parse((await newest.throwOnError()).data),
    ownersNeedIt: settings.ownersNeedApproval && !(isSection && (await isOnlyOwner(client))),
  };
}

/** The sections of the settings that wait for approval: what was submitted last is not decided. */
export async function listSubmittedSections(client: Client): Promise<string[]> {
  const versions = client.from("versions").select("thing, event").eq("kind", "section");
  const { data } = await versions
    .in("event", decisionSchema.shape.event.options)
    .order("number", { ascending: false })
    .limit(1000)
    .throwOnError();
  const newest = new Map(data.toReversed().map(({ thing, event }) => [thing, event]));
  return [...newest].flatMap(([thing, event]) => (event === "submitted" ? [thing] : []));
}

/** Nobody else could approve the settings of an only owner. */
async function isOnlyOwner(client: Client): Promise<boolean> {
  const { data } = await client.rpc("list_people").throwOnError();
  return data.filter(({ role }) => role === "owner").length < 2;
}

/** @returns why the decision was not stored, in a sentence for people; null when it was */
export async function decide(
  client: Client,
  decision: { submission: number; is_approved: boolean; comment: string },
): Promise<string | null> {
  const args = { ...decision, preview_token: null, name: null, email: null };
  return (await client.rpc("decide", args).throwOnError()).data;
}
