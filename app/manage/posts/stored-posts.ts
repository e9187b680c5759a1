// The states of a post, and every change between them:
//
//   post_drafts      what is typed, of a new post or of changes to another one
//   scheduled_posts  becomes public at its time, by a job of the database
//   posts            what is public; the owner's own pages are in `pages`
//   post_versions    the history, from which drafts and deleted posts come back
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

type Tables = Database["public"]["Tables"];

export type DraftRow = Tables["post_drafts"]["Row"];
export type DraftInsert = Tables["post_drafts"]["Insert"];

export interface OpenedPost {
  id: string;
  kind: Kind;
  state: PostState;
  /** The scheduled or published post; null for a draft. Both tables have the same columns. */
  row: Post | null;
  failure: string | null;
  /** The draft; null while nothing was changed. */
  draft: DraftRow | null;
}

/** The last save of this tab, which may still be running. Never rejects. */
let lastSave: Promise<unknown> = Promise.resolve();

export function newPost(id: string, kind: Kind): OpenedPost {
  return { id, kind, state: "draft", row: null, failure: null, draft: null };
}

/** @returns null when nothing is stored of the post, here or in the database */
export async function openPost(client: Client, id: string, kind: Kind): Promise<OpenedPost | null> {
  await lastSave;
  const [draft, scheduled, published] = await Promise.all([
    readPostDraft(client, id),
    client.from("scheduled_posts").select("*").eq("id", id).maybeSingle().throwOnError(),
    readPublishedPost(client, id, kind),
  ]);
  const row = published ?? scheduled.data;
  if (draft && draft.is_page !== (kind === kinds.page)) return null;
  if (!row && !draft) return readPostBackup(id) ? newPost(id, kind) : null;
  const state = published ? "published" : row ? "scheduled" : "draft";
  return { id, kind, state, row, failure: scheduled.data?.failure ?? null, draft };
}

async function readPublishedPost(client: Client, id: string, kind: Kind): Promise<Post | null> {
  const query = publishedRows(client, kind).select("*").eq("id", id);
  return (await query.maybeSingle().throwOnError()).data;
}

function publishedRows(client: Client, kind: Kind) {
  // Typed as posts, because both tables have their columns.
  return client.from(kind.names as "posts");
}

async function readPostDraft(client: Client, id: string): Promise<DraftRow | null> {
  const query = client.from("post_drafts").select("*").eq("id", id);
  return (await query.maybeSingle().throwOnError()).data;
}

/**
 * Later reads of this tab wait for it.
 * @param replaced `updated_at` of the draft that it is based on; null when there was none
 */
export function storePostDraft(
  client: Client,
  row: DraftInsert,
  replaced: string | null,
): Promise<SaveResult<DraftRow>> {
  const save = insertOrUpdate(client, row, replaced);
  lastSave = save.catch(() => {});
  return save;
}

async function insertOrUpdate(
  client: Client,
  row: DraftInsert,
  replaced: string | null,
): Promise<SaveResult<DraftRow>> {
  const table = client.from("post_drafts");
  const { data, error } = await (replaced === null
    ? table.insert(row)
    : table.update(row).eq("id", row.id).eq("updated_at", replaced)
  )
    .select("updated_at")
    .maybeSingle();
  if (data) return { savedAt: data.updated_at };
  if (error && !isDuplicate(error.code)) throw error;
  const other = await readPostDraft(client, row.id);
  return { conflict: other && { document: other, savedAt: other.updated_at } };
}

/** @throws ChangedElsewhereError in place of the database's error about the draft or an existing post */
function throwChangedElsewhere(error: unknown): never {
  const code = codeOf(error);
  throw isOutdated(code) || isDuplicate(code) ? new ChangedElsewhereError() : error;
}

/** The versions of a post and its draft that this window has seen and may replace. */
interface Seen {
  id: string;
  kind: Kind;
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
  { id, draft, versions }: Seen,
  input: PostInput,
  author: string,
  published_date: string,
): Promise<void> {
  const { data: isScheduled, error } = await client.rpc("schedule_post", {
    post: wellFormedJson(JSON.stringify({ ...input, id, author, published_date })),
    seen_version: versions.at(-1) ?? null,
    draft_version: draft,
  });
  if (error) throwChangedElsewhere(error);
  if (!isScheduled) throw new ChangedElsewhereError();
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
  id: string,
): Promise<{ newest: PostApproval | null; ownersNeedIt: boolean } | null> {
  const { needApproval, ownersNeedApproval } = await readBlogSettings(client);
  if (!needApproval) return null;
  const approvals = client.from("post_approvals").select("*").eq("post_id", id);
  const newest = approvals.order("id", { ascending: false }).limit(1).maybeSingle();
  return {
    newest: z.nullable(approvalSchema).parse((await newest.throwOnError()).data),
    ownersNeedIt: ownersNeedApproval,
  };
}

/** Submits a post for approval. Its draft stays. @throws ChangedElsewhereError or the backend's error */
export async function submitPost(
  client: Client,
  { id, draft }: Pick<Seen, "id" | "draft">,
  input: PostInput,
  author: string,
): Promise<void> {
  const post = wellFormedJson(JSON.stringify({ ...input, id, author }));
  const { error } = await client.rpc("submit_post", { post, draft_version: draft });
  if (error) throwChangedElsewhere(error);
}

/** Makes a scheduled post a draft again. @throws ChangedElsewhereError or the backend's error */
export async function unschedulePost(client: Client, id: string): Promise<void> {
  const { data: isDraft } = await client.rpc("unschedule_post", { post_id: id }).throwOnError();
  if (!isDraft) throw new ChangedElsewhereError();
}

export async function saveDraftVersion(client: Client, id: string): Promise<void> {
  await client.rpc("save_draft_version", { draft_id: id }).throwOnError();
}

/**
 * Deletes a draft, then its images. Its text stays in the history.
 * @param draft `updated_at` of the draft; null to delete the draft and the schedule, whatever their version
 * @throws ChangedElsewhereError or the backend's error
 */
export async function discardDraft(
  client: Client,
  { id, draft }: Pick<Seen, "id" | "draft">,
): Promise<void> {
  const { data: discarded } = await client
    .rpc("discard_draft", { draft_id: id, seen_version: draft })
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
  id: z.number(),
  event: z.enum(["submitted", "approved", "returned"]),
  document: postDocumentSchema,
  saved_at: z.string(),
  saved_by: z.nullable(z.string()),
  by_name: z.string(),
  by_email: z.nullable(z.string()),
  comment: z.string(),
});
export type PostApproval = z.infer<typeof approvalSchema>;

export interface PostVersion {
  id: number;
  document: PostDocument;
}

export async function readPostVersion(client: Client, id: number): Promise<PostVersion> {
  const query = client.from("post_versions").select("document").eq("id", id).single();
  const { data } = await query.throwOnError();
  return { id, document: postDocumentSchema.parse(data.document) };
}

/**
 * Makes an earlier version the draft of its post, its images first: a draft names stored images only.
 * @param draft `updated_at` of the draft that it replaces
 * @param base the version of the published or scheduled post that the draft changes
 * @returns `updated_at` of the draft
 * @throws ChangedElsewhereError or the backend's error
 */
export async function restoreVersion(
  client: Client,
  { id, document }: PostVersion,
  draft: string | null,
  base: string | null,
): Promise<string> {
  for (const url of imagesOf(document)) await restoreStoredImage(client, url);
  const { data: savedAt } = await client
    .rpc("restore_post_version", {
      version_id: id,
      seen_version: draft,
      base_version: base,
    })
    .throwOnError();
  if (!savedAt) throw new ChangedElsewhereError();
  return savedAt;
}

/**
 * Makes a draft of a post that was deleted in the last 30 days.
 * @throws ChangedElsewhereError when it was restored or removed meanwhile, or the backend's error
 */
export async function restorePost(client: Client, id: string): Promise<void> {
  await restoreVersion(client, await readNewestVersion(client, id), null, null);
}

/**
 * Publishes a post as it was before its deletion, its images first.
 * @throws ChangedElsewhereError when it was restored or removed meanwhile, or the backend's error
 */
export async function undoDeletion(client: Client, id: string): Promise<void> {
  const { document } = await readNewestVersion(client, id);
  for (const url of imagesOf(document)) await restoreStoredImage(client, url);
  const { data: isPublic } = await withOwnChange(id, async () =>
    client.rpc("undo_post_deletion", { post_id: id }).throwOnError(),
  );
  if (!isPublic) throw new ChangedElsewhereError();
}

/** Removes deleted posts for good: they can no longer be restored. @param id null for all deleted samples */
export async function removeDeletedPosts(client: Client, id: string | null): Promise<void> {
  await client.rpc("remove_deleted_posts", { post_id: id }).throwOnError();
}

/** @throws ChangedElsewhereError without versions, or the backend's error */
async function readNewestVersion(client: Client, id: string): Promise<PostVersion> {
  const { data: newest } = await client
    .from("post_versions")
    .select("id")
    .eq("post_id", id)
    .order("id", { ascending: false })
    .limit(1)
    .maybeSingle()
    .throwOnError();
  if (!newest) throw new ChangedElsewhereError();
  return readPostVersion(client, newest.id);
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
