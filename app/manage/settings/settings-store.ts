// Reads and writes the settings for the forms of /manage/settings and the setup. Policies allow this to owners only.
import { isSectionName, type SectionName, type SiteSettings } from "../../config/site-schema.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database, Json } from "../../supabase/database.ts";
import { codeOf } from "../describe-failure.ts";
import type { SaveResult, StoredDraft } from "../draft-session.ts";
import { versionsPerPage } from "../version-list.tsx";
import { fitDocument } from "./fields.ts";
import { type Rejection, readDatabaseProblem } from "./problems.ts";

type Tables = Database["public"]["Tables"];

interface Published {
  document: unknown;
  publishedAt: string;
}

export type Draft = StoredDraft<unknown>;

export interface Version {
  id: number;
  document: unknown;
  published_at: string;
  published_by: string | null;
}

export interface StoredSettings {
  published: Partial<Record<SectionName, Published>>;
  drafts: Partial<Record<SectionName, Draft>>;
}

export async function loadSettings(): Promise<Result<StoredSettings>> {
  return tryLoading("the settings", async () => readSettings(await getBrowserClient()));
}

/** The last save of this tab, which may still be running. Never rejects. */
let lastSave: Promise<unknown> = Promise.resolve();

/** @throws the backend's error, also for everyone but owners */
export async function readSettings(client: Client): Promise<StoredSettings> {
  await lastSave;
  const [published, drafts] = await Promise.all([
    client.from("site_settings").select("section, document, published_at").throwOnError(),
    client.from("site_settings_drafts").select("section, document, updated_at").throwOnError(),
  ]);
  const stored: StoredSettings = { published: {}, drafts: {} };
  for (const row of published.data) {
    if (!isSectionName(row.section)) continue;
    stored.published[row.section] = { document: row.document, publishedAt: row.published_at };
  }
  for (const { section, document, updated_at } of drafts.data) {
    if (isSectionName(section)) stored.drafts[section] = { document, savedAt: updated_at };
  }
  return stored;
}

/** The published documents, for `completeSettings`. */
export function publishedDocuments({ published }: StoredSettings): Partial<SiteSettings> {
  return documentsOf(published);
}

/** The newest document of each section: its draft, or else the published one. */
export function newestDocuments({ published, drafts }: StoredSettings): Partial<SiteSettings> {
  return { ...documentsOf(published), ...documentsOf(drafts) };
}

function documentsOf(
  rows: Partial<Record<SectionName, { document: unknown }>>,
): Partial<SiteSettings> {
  const entries = Object.entries(rows).flatMap(([section, row]) =>
    isSectionName(section) ? [[section, fitDocument(section, row.document)]] : [],
  );
  return Object.fromEntries(entries);
}

/**
 * Saves a draft. Later reads of this tab wait for it.
 * @param replaced `savedAt` of the draft that the document is based on; null when there was none
 * @throws the backend's error
 */
export function saveDraft(
  section: SectionName,
  document: object,
  replaced: string | null,
): Promise<SaveResult<unknown>> {
  const save = getBrowserClient().then((client) => storeDraft(client, section, document, replaced));
  lastSave = save.catch(() => {});
  return save;
}

/** As `saveDraft`, but later reads do not wait for it. */
export async function storeDraft(
  client: Client,
  section: SectionName,
  document: object,
  replaced: string | null,
): Promise<SaveResult<unknown>> {
  const table = client.from("site_settings_drafts");
  // Documents contain only values that JSON can express.
  const row: Tables["site_settings_drafts"]["Insert"] = { section, document: document as Json };
  const { data, error } = await (replaced === null
    ? table.insert(row)
    : table.update(row).eq("section", section).eq("updated_at", replaced)
  )
    .select("updated_at")
    .maybeSingle();
  if (data) return { savedAt: data.updated_at };
  const isDuplicate = error?.code === "23505";
  if (error && !isDuplicate) throw error;
  return { conflict: await readDraft(client, section) };
}

/** @throws the backend's error */
async function readDraft(client: Client, section: SectionName): Promise<Draft | null> {
  const { data } = await client
    .from("site_settings_drafts")
    .select("document, updated_at")
    .eq("section", section)
    .maybeSingle()
    .throwOnError();
  return data && { document: data.document, savedAt: data.updated_at };
}

/**
 * Deletes a draft.
 * @returns whether it is gone; false when another window has changed it
 * @throws the backend's error
 */
export async function discardDraft(section: SectionName, savedAt: string): Promise<boolean> {
  const client = await getBrowserClient();
  const { data } = await client
    .from("site_settings_drafts")
    .delete()
    .eq("section", section)
    .eq("updated_at", savedAt)
    .select("section")
    .throwOnError();
  return data.length > 0 || (await readDraft(client, section)) === null;
}

/**
 * Publishes the drafts of these sections, all or none.
 * @returns what the database rejects, although the browser accepted it; null when it published them
 * @throws the backend's other errors
 */
export async function publishDrafts(
  client: Client,
  names: readonly SectionName[],
): Promise<Rejection | null> {
  const { error } = await client.rpc("publish_settings", { sections: [...names] });
  const rejection = codeOf(error) === "23514" ? readDatabaseProblem(messageOf(error)) : null;
  if (error && !rejection) throw error;
  return rejection;
}

/**
 * The published versions of a section, newest first, and one more than shown, to compare the last one with.
 * @throws the backend's error
 */
export async function listVersions(
  client: Client,
  section: SectionName,
  first: number,
): Promise<Version[]> {
  const { data } = await client
    .from("site_settings_versions")
    .select("id, document, published_at, published_by")
    .eq("section", section)
    .order("id", { ascending: false })
    .range(first, first + versionsPerPage)
    .throwOnError();
  return data;
}
