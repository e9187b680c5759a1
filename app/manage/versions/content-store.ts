// The life of content, the same for posts, pages and sections of the settings (supabase/migrations/20261122120500_versions.sql):
//
//   drafts      what is typed: of something new, or changes to another version
//   schedules   which version becomes public at its time, by a job of the database
//   versions    what was kept, submitted, decided, scheduled and published, and what was deleted
//
// Each change is one function of the database. It names the draft that this window has seen, and can be repeated when its
// response was lost. Posts, pages and settings add how they are read and published (stored-posts.ts, settings-store.ts).
import { isOutdated } from "../../../supabase/functions/_shared/api-errors.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database, Json } from "../../supabase/database.ts";
import { withOwnChange } from "../../supabase/live.ts";
import { wellFormedJson } from "../../supabase/well-formed-json.ts";
import { ChangedElsewhereError } from "../describe-failure.ts";

export interface Thing {
  kind: Database["public"]["Enums"]["content_kind"];
  /** The id of a post, page or testimonial, or the name of a section. */
  thing: string;
}

export interface StoredDraft {
  document: Json;
  /** The number of the scheduled or public version that it changes; null for something new. */
  base: number | null;
  /** Tells one state of the draft from the next: whoever replaces it names the one that was seen. */
  savedAt: string;
}

/** What a save replaces: the draft that was seen, and the version that it changes. */
export interface Replaced {
  savedAt: string | null;
  version: number | null;
}

/** Who did something, as the database kept it at that moment. Null for the secret key. */
export interface Signature {
  by_name: string | null;
  by_email: string | null;
}

/** `Ada Lovelace (ada@example.com)`; empty when no account did it. */
export function formatSignature({ by_name, by_email }: Signature): string {
  if (by_name === by_email || !by_email) return by_name ?? "";
  return `${by_name} (${by_email})`;
}

export type ContentEvent = Database["public"]["Enums"]["content_event"];

/** A version without its document. */
export interface ListedVersion extends Signature {
  number: number;
  event: ContentEvent;
  at: string;
}

/** The last save of this tab, which may still be running. Never rejects. */
let lastSave: Promise<unknown> = Promise.resolve();

/** Waits for the last save of this tab, so that a page that is opened next reads what it stored. */
export async function endOfSaves(): Promise<void> {
  await lastSave;
}

export async function readDraft(
  client: Client,
  { kind, thing }: Thing,
): Promise<StoredDraft | null> {
  const drafts = client.from("drafts").select("document, base, saved_at").eq("kind", kind);
  const { data } = await drafts.eq("thing", thing).maybeSingle().throwOnError();
  return data && { document: data.document, base: data.base, savedAt: data.saved_at };
}

/** @returns `savedAt` of the draft; null when another window changed the draft or the version that it changes */
export function saveDraft(
  client: Client,
  { kind, thing }: Thing,
  document: object,
  { savedAt: replaced, version: base }: Replaced,
): Promise<string | null> {
  const args = { kind, thing, document: toJson(document), base, replaced };
  const save = withOwnChange(thing, async () => {
    const { data, error } = await client.rpc("save_draft", args);
    if (error && !isOutdated(error.code)) throw error;
    return data || null;
  });
  lastSave = save.catch(() => {});
  return save;
}

/** Adds the stored draft to the history. */
export async function keepDraft(client: Client, { kind, thing }: Thing): Promise<void> {
  await client.rpc("keep_draft", { kind, thing }).throwOnError();
}

/**
 * Deletes a draft. Its text stays in the history.
 * @param replaced `savedAt` of the draft; null deletes the draft and the schedule, whatever their version
 * @returns the deleted document
 * @throws ChangedElsewhereError or the backend's error
 */
export async function discardDraft(
  client: Client,
  { kind, thing }: Thing,
  replaced: string | null,
): Promise<Json> {
  const { data } = await client.rpc("discard_draft", { kind, thing, replaced }).throwOnError();
  if (!data) throw new ChangedElsewhereError();
  return data;
}

/** Submits a finished document for approval. Its draft stays. @throws ChangedElsewhereError or the backend's error */
export async function submit(
  client: Client,
  { kind, thing }: Thing,
  document: object,
  draft: string | null,
): Promise<void> {
  const { error } = await client.rpc("submit", { kind, thing, document: toJson(document), draft });
  if (error) throw isOutdated(error.code) ? new ChangedElsewhereError() : error;
}

/**
 * Schedules a finished document in place of the scheduled version that was seen, and ends its draft.
 * @param at ISO 8601
 * @throws ChangedElsewhereError or the backend's error
 */
export async function schedule(
  client: Client,
  { kind, thing }: Thing,
  document: object,
  { savedAt: draft, version: replaced }: Replaced,
  at: string,
): Promise<void> {
  const args = { kind, thing, document: toJson(document), at, replaced, draft };
  const { data: version, error } = await client.rpc("schedule", args);
  if (error && !isOutdated(error.code)) throw error;
  if (!version) throw new ChangedElsewhereError();
}

/** Makes what is scheduled a draft again. @throws ChangedElsewhereError or the backend's error */
export async function unschedule(client: Client, { kind, thing }: Thing): Promise<void> {
  const { data: isDraft } = await client.rpc("unschedule", { kind, thing }).throwOnError();
  if (!isDraft) throw new ChangedElsewhereError();
}

/**
 * Makes an earlier version the draft. What the draft had is kept in the history.
 * @param replaced `savedAt` of the draft that was seen; null when there is none
 * @returns `savedAt` of the draft
 * @throws ChangedElsewhereError, also for what cannot be restored any more, or the backend's error
 */
export async function restore(
  client: Client,
  version: number,
  replaced: string | null,
): Promise<string> {
  const { data: savedAt } = await client.rpc("restore", { version, replaced }).throwOnError();
  if (!savedAt) throw new ChangedElsewhereError();
  return savedAt;
}

/** @param thing of a deleted post or page; null for all deleted samples of that kind. They can no longer be restored. */
export async function removeDeleted(
  client: Client,
  { kind, thing }: Pick<Thing, "kind"> & { thing: string | null },
): Promise<void> {
  await client.rpc("remove_deleted", { kind, thing }).throwOnError();
}

/**
 * Stores something deleted as it was.
 * @throws ChangedElsewhereError when it was restored, removed or erased meanwhile, or the backend's error
 */
export async function undoDeletion(client: Client, { kind, thing }: Thing): Promise<void> {
  const { data: isBack } = await withOwnChange(thing, async () =>
    client.rpc("undo_deletion", { kind, thing }).throwOnError(),
  );
  if (!isBack) throw new ChangedElsewhereError();
}

/** @returns the document of a version */
export async function readVersion(client: Client, number: number): Promise<Json> {
  const query = client.from("versions").select("document").eq("number", number).single();
  return (await query.throwOnError()).data.document;
}

/**
 * The versions of something, newest first.
 * @param events those that are wanted
 */
export async function listVersions(
  client: Client,
  { kind, thing }: Thing,
  events: readonly ContentEvent[],
  { first, count }: { first: number; count: number },
): Promise<ListedVersion[]> {
  const { data } = await client
    .from("versions")
    .select("number, event, at, by_name, by_email")
    .eq("kind", kind)
    .eq("thing", thing)
    .in("event", events)
    .order("number", { ascending: false })
    .range(first, first + count - 1)
    .throwOnError();
  return data;
}

function toJson(document: object): string {
  return wellFormedJson(JSON.stringify(document));
}
