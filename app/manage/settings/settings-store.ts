// Reads the settings for the forms of /manage/settings and the setup, and publishes them. Policies allow this to owners only.
import { isOutdated } from "../../../supabase/functions/_shared/api-errors.ts";
import { isSectionName, type SectionName, type SiteSettings } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";
import { ChangedElsewhereError } from "../describe-failure.ts";
import type { LiveQuery } from "../live-query.ts";
import { listSubmittedSections } from "../versions/approvals.ts";
import { endOfSaves, type Thing } from "../versions/content-store.ts";
import { fitDocument } from "./fields.ts";
import { type Rejection, readDatabaseProblem } from "./problems.ts";

interface Published {
  document: unknown;
  version: number;
  publishedAt: string;
}

export interface StoredSettings {
  published: Partial<Record<SectionName, Published>>;
  drafts: Partial<Record<SectionName, { document: unknown; savedAt: string }>>;
  /** The sections that wait for approval. */
  submitted: readonly string[];
  /** When reading began, of `performance.now()`. */
  readAt: number;
}

export function sectionThing(section: SectionName): Thing {
  return { kind: "section", thing: section };
}

/** @throws the backend's error, also for everyone but owners */
export async function readStoredSettings(client: Client): Promise<StoredSettings> {
  await endOfSaves();
  return readRows(client);
}

export const settingsQuery: LiveQuery<StoredSettings> = {
  key: ["the settings"],
  read: readStoredSettings,
  tables: ["section_drafts"],
};

/** As `readStoredSettings`, without waiting for a save. */
export async function readRows(client: Client): Promise<StoredSettings> {
  const readAt = performance.now();
  const [published, drafts, submitted] = await Promise.all([
    client.from("site_settings").select("section, document, version, published_at").throwOnError(),
    client.from("drafts").select("thing, document, saved_at").eq("kind", "section").throwOnError(),
    listSubmittedSections(client),
  ]);
  const stored: StoredSettings = { published: {}, drafts: {}, submitted, readAt };
  for (const { section, document, version, published_at } of published.data) {
    if (!isSectionName(section)) continue;
    stored.published[section] = { document, version, publishedAt: published_at };
  }
  for (const { thing, document, saved_at } of drafts.data) {
    if (isSectionName(thing)) stored.drafts[thing] = { document, savedAt: saved_at };
  }
  return stored;
}

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
 * Publishes drafts, all or none.
 * @param seen `savedAt` of each draft by its section
 * @returns what the database rejects, although the browser accepted it; null when it published them
 * @throws ChangedElsewhereError or the backend's other errors
 */
export async function publishDrafts(
  client: Client,
  seen: Partial<Record<SectionName, string>>,
): Promise<Rejection | null> {
  const changes = Object.entries(seen).map(([thing, draft]) => {
    return { kind: "section", thing, draft };
  });
  const { error } = await client.rpc("publish", { changes: JSON.stringify(changes) });
  if (isOutdated(error?.code)) throw new ChangedElsewhereError();
  const rejection = readDatabaseProblem(error);
  if (error && !rejection) throw error;
  return rejection;
}
