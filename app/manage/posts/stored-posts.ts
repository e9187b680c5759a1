// The states of a post, and every change between them (supabase/migrations/20261122120500_versions.sql):
//
//   drafts      what is typed, of a new post or of changes to another one
//   schedules   which version becomes public at its time, by a job of the database
//   posts       what is public; the owner's own pages are in `pages`
//   versions    the history, from which drafts and deleted posts come back
//
// Publishing, saving and deleting are an insert, update and delete on `posts`; triggers end the draft and the schedule in
// the same transaction. Each other change is one function of the database. Each can be repeated when its response was
// lost: a function compares with what is stored, `changePost` does for inserts and updates.
import { z } from "zod";
import { isDuplicate, isOutdated } from "../../../supabase/functions/_shared/api-errors.ts";
import { parseBlocks } from "../../posts/blocks.tsx";
import type { Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database, Json } from "../../supabase/database.ts";
import { wellFormedJson } from "../../supabase/well-formed-json.ts";
import { checkLinks } from "../content/content-links.ts";
import { ChangedElsewhereError, codeOf } from "../describe-failure.ts";
import type { SaveResult } from "../draft-session.ts";
import { removeStoredImage, restoreStoredImage } from "../images/image-storage.ts";
import { withOwnChange } from "../live-query.ts";
import { type Kind, kinds } from "./kinds.ts";
import { readPostBackup } from "./post-backup.ts";
import { draftOf, isSameDraft, type PostInput, type PostState } from "./post-schema.ts";
import { saveWithFreeSlug, slugCheck } from "./slug.ts";

/** A draft, with the columns of a post that it may have. */
export interface DraftRow extends PostDocument {
  id: string;
  /** The number of the version that the draft started from; null for a new post. */
  base: number | null;
  /** Its version. */
  updated_at: string;
  updated_by: string | null;
}

/** What a draft is saved with. */
export interface DraftInsert extends Partial<Omit<PostDocument, "content">> {
  id: string;
  kind: Kind;
  base: number | null;
  content?: Json;
}

export interface OpenedPost {
  id: string;
  kind: Kind;
  state: PostState;
  /** The scheduled or published post; null for a draft. */
  row: Post | null;
  /** The number of the version that is scheduled or public; null for a draft. */
  version: number | null;
  failure: string | null;
  /** The draft; null while nothing was changed. */
  draft: DraftRow | null;
}

/** The last save of this tab, which may still be running. Never rejects. */
let lastSave: Promise<unknown> = Promise.resolve();

export function newPost(id: string, kind: Kind): OpenedPost {
  return { id, kind, state: "draft", row: null, version: null, failure: null, draft: null };
}

/** @returns null when nothing is stored of the post, here or in the database */
export async function openPost(client: Client, id: string, kind: Kind): Promise<OpenedPost | null> {
  await lastSave;
  const [draft, scheduled, published] = await Promise.all([
    readPostDraft(client, id, kind),
    readScheduledPost(client, id, kind),
    readPublishedPost(client, id, kind),
  ]);
  const row = published ?? scheduled?.row ?? null;
  if (!row && !draft) return readPostBackup(id) ? newPost(id, kind) : null;
  const state = published ? "published" : row ? "scheduled" : "draft";
  const version = published
    ? await readPublicVersion(client, id, kind)
    : (scheduled?.version ?? null);
  return { id, kind, state, row, version, failure: scheduled?.failure ?? null, draft };
}

async function readPublicVersion(client: Client, id: string, kind: Kind): Promise<number | null> {
  const query = versionsOf(client, id, kind, ["published", "unpublished"]).select("number");
  const newest = query.order("number", { ascending: false }).limit(1).maybeSingle();
  return (await newest.throwOnError()).data?.number ?? null;
}

async function readScheduledPost(client: Client, id: string, kind: Kind) {
  const query = client.from("schedules").select("*").eq("kind", kind.name).eq("thing", id);
  const { data: schedule } = await query.maybeSingle().throwOnError();
  if (!schedule) return null;
  const { version, failure } = schedule;
  const { document } = await readPostVersion(client, version);
  const { at } = schedule;
  // It has no other version than its number, which is used where those of a published post are.
  const row = { ...document, id, published_date: at, created_at: at, updated_at: String(version) };
  return { row: { ...row, is_sample: false, draft_version: null }, version, failure };
}

async function readPublishedPost(client: Client, id: string, kind: Kind): Promise<Post | null> {
  const query = publishedRows(client, kind).select("*").eq("id", id);
  return (await query.maybeSingle().throwOnError()).data;
}

function publishedRows(client: Client, kind: Kind) {
  // Typed as posts, because both tables have their columns.
  return client.from(kind.names as "posts");
}

export async function readPostDraft(
  client: Client,
  id: string,
  kind: Kind,
): Promise<DraftRow | null> {
  const query = client.from("drafts").select("document, base, saved_at, saved_by");
  const draft = query.eq("kind", kind.name).eq("thing", id).maybeSingle();
  const { data } = await draft.throwOnError();
  if (!data) return null;
  const { document, base, saved_at, saved_by } = data;
  const words = postDocumentSchema.parse(document);
  return { ...words, id, base, updated_at: saved_at, updated_by: saved_by };
}

/**
 * Later reads of this tab wait for it.
 * @param replaced `updated_at` of the draft that it is based on; null when there was none
 */
export function storePostDraft(
  client: Client,
  draft: DraftInsert,
  replaced: string | null,
): Promise<SaveResult<DraftRow>> {
  const save = saveDraft(client, draft, replaced);
  lastSave = save.catch(() => {});
  return save;
}

async function saveDraft(
  client: Client,
  { id, kind, base, ...document }: DraftInsert,
  replaced: string | null,
): Promise<SaveResult<DraftRow>> {
  const words = wellFormedJson(JSON.stringify(document));
  const { data: savedAt } = await client
    .rpc("save_draft", { kind: kind.name, thing: id, document: words, base, replaced })
    .throwOnError();
  if (savedAt) return { savedAt };
  const other = await readPostDraft(client, id, kind);
  return { conflict: other && { document: other, savedAt: other.updated_at } };
}

/** @throws ChangedElsewhereError in place of the database's error about the draft or an existing post */
function throwChangedElsewhere(error: unknown): never {
  const code = codeOf(error);
  throw isOutdated(code) || isDuplicate(code) ? new ChangedElsewhereError() : error;
}

export interface Thing {
  id: string;
  kind: Kind;
}

/** The versions of a post and its draft that this window has seen and may replace. */
interface Seen extends Thing {
  /** `updated_at` of the stored draft; null when there is none. */
  draft: string | null;
  /** The versions of the published or scheduled post that may be replaced, the newest last. */
  versions: readonly string[];
}

/** Ends the draft and the schedule. @returns the slug. @throws SlugCheckError, ChangedElsewhereError or the backend's error */
export async function publishPost(
  client: Client,
  { id, kind, draft }: Seen,
  input: PostInput,
  author: string,
): Promise<string> {
  let published = input.slug;
  const now = new Date().toISOString();
  const dates = { published_date: now, created_at: now, updated_at: now };
  const insert = async (slug: string) => {
    published = slug;
    const row = { ...input, ...dates, id, slug, author, draft_version: draft };
    return publishedRows(client, kind).insert(row).select("id").single();
  };
  await changePost(client, { id, kind }, input, () =>
    saveWithFreeSlug(input.slug, slugCheck(client, { id, kind }), insert),
  );
  return published;
}

/** Publishes or saves. Succeeds when the post is stored and only the response was lost. */
async function changePost(
  client: Client,
  { id, kind }: Pick<Seen, "id" | "kind">,
  input: PostInput,
  change: () => Promise<void>,
): Promise<void> {
  try {
    await withOwnChange(id, change);
  } catch (error) {
    const stored = await readPublishedPost(client, id, kind).catch(() => null);
    if (!stored || !hasInput(stored, input)) throwChangedElsewhere(error);
  }
}

function hasInput(stored: Post, input: PostInput): boolean {
  return isSameDraft(draftOf(stored), draftOf({ ...stored, ...input, slug: stored.slug }));
}

/**
 * Ends the draft.
 * @param slug of the stored post
 * @param unconfirmed what a save before sent, if its response was lost. It may be replaced
 * @throws SlugCheckError, ChangedElsewhereError or the backend's error
 */
export async function updatePost(
  client: Client,
  { id, kind, draft, versions }: Seen,
  input: PostInput,
  slug: string,
  unconfirmed: PostInput | null = null,
): Promise<void> {
  const stored = unconfirmed && (await readPublishedPost(client, id, kind));
  const own = stored && hasInput(stored, unconfirmed) ? [stored.updated_at] : [];
  const update = async (slug: string) => {
    // The database sets the time, which is the new version.
    const changes = { ...input, slug, updated_at: new Date().toISOString(), draft_version: draft };
    const { data, error } = await publishedRows(client, kind)
      .update(changes)
      .eq("id", id)
      .in("updated_at", [...versions, ...own])
      .select("id");
    return { error: error ?? (data.length === 0 ? new ChangedElsewhereError() : null) };
  };
  // An unchanged address needs no check.
  const isTaken = input.slug === slug ? async () => false : slugCheck(client, { id, kind });
  await changePost(client, { id, kind }, input, () =>
    saveWithFreeSlug(input.slug, isTaken, update),
  );
}

/**
 * Schedules a post, or changes a scheduled one. Ends its draft. A taken slug gets its number at the publication.
 * @param published_date ISO 8601
 * @throws ChangedElsewhereError or the backend's error
 */
export async function schedulePost(
  client: Client,
  { id, kind, draft, versions }: Seen,
  input: PostInput,
  author: string,
  at: string,
): Promise<void> {
  const document = wellFormedJson(JSON.stringify({ ...input, author }));
  const seen = versions.at(-1);
  const replaced = seen === undefined ? null : Number(seen);
  const args = { kind: kind.name, thing: id, document, at, replaced, draft };
  const { data: version, error } = await client.rpc("schedule", args);
  if (error) throwChangedElsewhere(error);
  if (!version) throw new ChangedElsewhereError();
}

const blogSettingsSchema = z.object({
  authors: z.array(z.string()).catch([]),
  needApproval: z.boolean().catch(false),
  ownersNeedApproval: z.boolean().catch(false),
});

export async function readBlogSettings(client: Client) {
  const blog = client.from("site_settings").select("document").eq("section", "blog");
  const { data } = await blog.maybeSingle().throwOnError();
  return blogSettingsSchema.parse(data?.document ?? {});
}

/**
 * Reads the newest submission or decision of a post (null: there is none), and whether owners need approval as well.
 * @returns null unless posts need approval
 */
export async function readApproval(
  client: Client,
  { id, kind }: Pick<Seen, "id" | "kind">,
): Promise<{ newest: PostApproval | null; ownersNeedIt: boolean } | null> {
  const { needApproval, ownersNeedApproval } = await readBlogSettings(client);
  if (!needApproval) return null;
  const decisions = versionsOf(client, id, kind, ["submitted", "approved", "returned"]).select("*");
  const newest = decisions.order("number", { ascending: false }).limit(1).maybeSingle();
  return {
    newest: z.nullable(approvalSchema).parse((await newest.throwOnError()).data),
    ownersNeedIt: ownersNeedApproval,
  };
}

/** Submits a post for approval. Its draft stays. @throws ChangedElsewhereError or the backend's error */
export async function submitPost(
  client: Client,
  { id, kind, draft }: Omit<Seen, "versions">,
  input: PostInput,
  author: string,
): Promise<void> {
  const document = wellFormedJson(JSON.stringify({ ...input, author }));
  const { error } = await client.rpc("submit", { kind: kind.name, thing: id, document, draft });
  if (error) throwChangedElsewhere(error);
}

/** Makes a scheduled post a draft again. @throws ChangedElsewhereError or the backend's error */
export async function unschedulePost(client: Client, { id, kind }: Thing): Promise<void> {
  const thing = { kind: kind.name, thing: id };
  const { data: isDraft } = await client.rpc("unschedule", thing).throwOnError();
  if (!isDraft) throw new ChangedElsewhereError();
}

export async function keepDraft(client: Client, { id, kind }: Thing): Promise<void> {
  await client.rpc("keep_draft", { kind: kind.name, thing: id }).throwOnError();
}

/**
 * Deletes a draft, then its images. Its text stays in the history.
 * @param draft `updated_at` of the draft; null to delete the draft and the schedule, whatever their version
 * @throws ChangedElsewhereError or the backend's error
 */
export async function discardDraft(
  client: Client,
  { id, kind, draft }: Omit<Seen, "versions">,
): Promise<void> {
  const { data: discarded } = await client
    .rpc("discard_draft", { kind: kind.name, thing: id, replaced: draft })
    .throwOnError();
  if (!discarded) throw new ChangedElsewhereError();
  await removeImages(postDocumentSchema.parse(discarded));
}

/**
 * Deletes a post, then its images. A draft of changes to it goes too; its text stays in the history.
 * @throws ChangedElsewhereError when the post is still there, or the backend's error
 */
export async function deletePost(client: Client, id: string, kind: Kind): Promise<void> {
  const before = await publishedRows(client, kind).select("image_url").eq("id", id).single();
  if (before.error && before.error.code !== "PGRST116") throw before.error;
  const [deleted] = await withOwnChange(id, async () => {
    const query = publishedRows(client, kind).delete().eq("id", id);
    const deleted = query.select("id, image_url, content");
    return (await deleted.throwOnError()).data;
  });
  if (deleted) await removeImages(deleted);
  else if (before.data) throw new ChangedElsewhereError();
}

const text = z.string().catch("");

/** What a version holds of a post. Missing and malformed values become empty. */
const postDocumentSchema = z.object({
  title: text,
  tagline: text,
  category: text,
  author: text,
  slug: text,
  alt: text,
  image_url: z.nullable(z.string()).catch(null),
  content: z.json().catch([]),
  related_services: z.array(z.object({ slug: z.string() })).catch([]),
});
export type PostDocument = z.infer<typeof postDocumentSchema>;

const approvalSchema = z.object({
  number: z.number(),
  event: z.enum(["submitted", "approved", "returned"]),
  document: postDocumentSchema,
  at: z.string(),
  by_id: z.nullable(z.string()),
  by_name: z.string(),
  by_email: z.nullable(z.string()),
  comment: z.string(),
});
export type PostApproval = z.infer<typeof approvalSchema>;

export interface PostVersion {
  number: number;
  document: PostDocument;
}

export async function readPostVersion(client: Client, number: number): Promise<PostVersion> {
  const query = client.from("versions").select("document").eq("number", number).single();
  const { data } = await query.throwOnError();
  return { number, document: postDocumentSchema.parse(data.document) };
}

/** The versions of a post with these events. */
function versionsOf(
  client: Client,
  id: string,
  kind: Kind,
  events: readonly Database["public"]["Enums"]["content_event"][],
) {
  const versions = client.from("versions");
  return {
    select: <Columns extends string>(columns: Columns) =>
      versions.select(columns).eq("kind", kind.name).eq("thing", id).in("event", events),
  };
}

/**
 * Makes an earlier version the draft of its post, its images first: a draft names stored images only.
 * @param draft `updated_at` of the draft that it replaces
 * @param base the number of the public or scheduled version that the draft changes
 * @returns `updated_at` of the draft
 * @throws ChangedElsewhereError or the backend's error
 */
export async function restoreVersion(
  client: Client,
  { number, document }: PostVersion,
  draft: string | null,
  base: number | null,
): Promise<string> {
  for (const url of imagesOf(document)) await restoreStoredImage(client, url);
  const { data: savedAt } = await client
    .rpc("restore", { version: number, replaced: draft, base })
    .throwOnError();
  if (!savedAt) throw new ChangedElsewhereError();
  return savedAt;
}

/**
 * Makes a draft of a post that was deleted in the last 30 days.
 * @throws ChangedElsewhereError when it was restored or removed meanwhile, or the backend's error
 */
export async function restorePost(client: Client, thing: Thing): Promise<void> {
  await restoreVersion(client, await readNewestVersion(client, thing), null, null);
}

/**
 * Publishes a post as it was before its deletion, its images first.
 * @throws ChangedElsewhereError when it was restored or removed meanwhile, or the backend's error
 */
export async function undoDeletion(client: Client, { id, kind }: Thing): Promise<void> {
  const { document } = await readNewestVersion(client, { id, kind });
  for (const url of imagesOf(document)) await restoreStoredImage(client, url);
  const { data: isPublic } = await withOwnChange(id, async () =>
    client.rpc("undo_deletion", { kind: kind.name, thing: id }).throwOnError(),
  );
  if (!isPublic) throw new ChangedElsewhereError();
}

/** Removes a deleted post for good, or all deleted samples (null): they can no longer be restored. */
export async function removeDeletedPosts(client: Client, removed: Thing | null): Promise<void> {
  const thing = removed?.id ?? null;
  const kind = (removed?.kind ?? kinds.post).name;
  await client.rpc("remove_deleted", { kind, thing }).throwOnError();
}

/** @throws ChangedElsewhereError without versions, or the backend's error */
async function readNewestVersion(client: Client, { id, kind }: Thing): Promise<PostVersion> {
  const versions = client.from("versions").select("number").eq("kind", kind.name);
  const newest = versions.eq("thing", id).order("number", { ascending: false }).limit(1);
  const { data } = await newest.maybeSingle().throwOnError();
  if (!data) throw new ChangedElsewhereError();
  return readPostVersion(client, data.number);
}

interface WithImages {
  image_url: string | null;
  content: Json;
}

/** The addresses of the images that a post, draft or version shows, above and in its text, and its links on this site. */
function imagesOf({ image_url, content }: WithImages): Set<string> {
  const inText = parseBlocks(content).flatMap((block) =>
    block.type === "image" ? [block.src] : [],
  );
  const links = checkLinks(content).own.map(({ href }) => href);
  return new Set([...(image_url ? [image_url] : []), ...inText, ...links]);
}

/** Failures are only logged. The database keeps images that are still in use. */
async function removeImages(post: WithImages): Promise<void> {
  for (const url of imagesOf(post)) await removeStoredImage(url);
}
