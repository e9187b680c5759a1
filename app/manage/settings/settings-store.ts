// Reads and writes the settings for the forms of /manage/settings and the setup. Policies allow this to owners only.

import { isOutdated } from "../../../supabase/functions/_shared/api-errors.ts";
import { isSectionName, type SectionName, type SiteSettings } from "../../config/site-schema.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { wellFormedJson } from "../../supabase/well-formed-json.ts";
import { ChangedElsewhereError } from "../describe-failure.ts";
import type { Stored } from "../draft-session.ts";
import { type LiveQuery, withOwnChange } from "../live-query.ts";
import { type Signature, versionsPerPage } from "../version-list.tsx";
import { fitDocument } from "./fields.ts";
import { type Rejection, readDatabaseProblem } from "./problems.ts";

interface Published {
  document: unknown;
  version: number;
  publishedAt: string;
}

export interface Draft {
  document: unknown;
  /** Its version. */
  savedAt: string;
}

export interface Version extends Signature {
  number: number;
  document: unknown;
  at: string;
}

export interface StoredSettings {
  published: Partial<Record<SectionName, Published>>;
  drafts: Partial<Record<SectionName, Draft>>;
  /** When reading began, of `performance.now()`. */
  readAt: number;
}

function thingOf(section: SectionName) {
  return { kind: "section", thing: section } as const;
}

/** The last save of this tab, which may still be running. Never rejects. */
let lastSave: Promise<unknown> = Promise.resolve();

/** @throws the backend's error, also for everyone but owners */
export async function readStoredSettings(client: Client): Promise<StoredSettings> {
  await lastSave;
  return readRows(client);
}

export const settingsQuery: LiveQuery<StoredSettings> = {
  key: ["the settings"],
  read: readStoredSettings,
  tables: ["section_drafts"],
};

async function readRows(client: Client): Promise<StoredSettings> {
  const readAt = performance.now();
  const [published, drafts] = await Promise.all([
    client.from("site_settings").select("section, document, version, published_at").throwOnError(),
    client.from("drafts").select("thing, document, saved_at").eq("kind", "section").throwOnError(),
  ]);
  const stored: StoredSettings = { published: {}, drafts: {}, readAt };
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

/** What a draft is based on: the draft that it replaces, and the published version. */
export type Base = Omit<Stored<unknown>, "document">;

/** `conflict`: what is stored now, because another window saved, published or discarded a draft. */
export type StoreResult = { savedAt: string } | { conflict: StoredSettings };

/** Later reads of this tab wait for it. */
export function saveDraft(
  section: SectionName,
  document: object,
  base: Base,
): Promise<StoreResult> {
  const save = getBrowserClient().then((client) => storeDraft(client, section, document, base));
  lastSave = save.catch(() => {});
  return save;
}

/** As `saveDraft`, but later reads do not wait for it. */
export async function storeDraft(
  client: Client,
  section: SectionName,
  document: object,
  { savedAt, version = null }: Base,
): Promise<StoreResult> {
  const draft = { ...thingOf(section), document: wellFormedJson(JSON.stringify(document)) };
  const { data, error } = await withOwnChange(section, async () =>
    client.rpc("save_draft", { ...draft, base: version, replaced: savedAt }),
  );
  if (data) return { savedAt: data };
  if (error && !isOutdated(error.code)) throw error;
  return { conflict: await readRows(client) };
}

/** @returns whether the draft is gone; false when another window has changed it */
export async function discardDraft(section: SectionName, savedAt: string): Promise<boolean> {
  const client = await getBrowserClient();
  const discarded = { ...thingOf(section), replaced: savedAt };
  return (await client.rpc("discard_draft", discarded).throwOnError()).data !== null;
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

/** The published versions of a section, newest first, and one more than shown, to compare the last one with. */
export async function listVersions(
  client: Client,
  section: SectionName,
  first: number,
): Promise<Version[]> {
  const { data } = await client
    .from("versions")
    .select("number, document, at, by_name, by_email")
    .eq("kind", "section")
    .eq("thing", section)
    .eq("event", "published")
    .order("number", { ascending: false })
    .range(first, first + versionsPerPage)
    .throwOnError();
  return data;
}
