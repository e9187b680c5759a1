// Reads posts and pages in every state, and writes the rows of what is public. Publishing, saving and deleting are an insert,
// update and delete on `posts` or `pages`; triggers end the draft and the schedule in the same transaction, and add the
// version. Everything else that happens to a post is a command of content-store.ts.
import { isDuplicate, isOutdated } from "../../../supabase/functions/_shared/api-errors.ts";
import { parseBlocks } from "../../posts/blocks.tsx";
import type { Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Json } from "../../supabase/database.ts";
import { newId } from "../../supabase/new-id.ts";
import { checkLinks } from "../content/content-links.ts";
import { ChangedElsewhereError, codeOf } from "../describe-failure.ts";
import { removeStoredImage, restoreStoredImage } from "../images/image-storage.ts";
import { withOwnChange } from "../live-query.ts";
import {
  type ContentEvent,
  discardDraft,
  endOfSaves,
  listVersions,
  type Replaced,
  readDraft,
  readVersion,
  restore,
  saveDraft,
  type Thing,
  undoDeletion as undoStoredDeletion,
} from "../versions/content-store.ts";
import type { Stored } from "../versions/draft-session.ts";
import type { Kind } from "./kinds.ts";
import { readPostBackup } from "./post-backup.ts";
import {
  draftOf,
  isSameDraft,
  type PostDraft,
  type PostInput,
  type PostState,
  postLimits,
  readDocument,
  toDocument,
} from "./post-schema.ts";
import { saveWithFreeSlug, slugCheck } from "./slug.ts";

/** A post, or a page of the owner's own. */
export interface PostThing {
  id: string;
  kind: Kind;
}

export function thingOf({ id, kind }: PostThing): Thing {
  return { kind: kind.name, thing: id };
}

export interface OpenedPost extends PostThing {
  state: PostState;
  /** The scheduled or published post; null for a draft. */
  row: Post | null;
  /** Why a scheduled post was not published at its time. */
  failure: string | null;
  /** What the form edits: the draft, or what is scheduled or public. Null while nothing is stored. */
  stored: Stored<PostDraft> | null;
  /** When reading began, of `performance.now()`. */
  readAt: number;
}

export function newPost(thing: PostThing, readAt = performance.now()): OpenedPost {
  return { ...thing, state: "draft", row: null, failure: null, stored: null, readAt };
}

/**
 * Reads a post after the last save of this tab has ended.
 * @returns null when nothing is stored of it, here or in the database
 */
export async function openPost(client: Client, post: PostThing): Promise<OpenedPost | null> {
  await endOfSaves();
  const opened = await readPost(client, post);
  return opened.stored || readPostBackup(post.id) ? opened : null;
}

export async function readPost(client: Client, post: PostThing): Promise<OpenedPost> {
  const readAt = performance.now();
  const [draft, scheduled, published] = await Promise.all([
    readDraft(client, thingOf(post)),
    readScheduled(client, post),
    readPublished(client, post),
  ]);
  const { row, version } = published ?? scheduled ?? { row: null, version: null };
  if (!row && !draft) return newPost(post, readAt);
  const state = published ? "published" : row ? "scheduled" : "draft";
  const opened = { ...post, state, row, failure: scheduled?.failure ?? null, readAt } as const;
  if (!draft)
    return { ...opened, stored: row && { document: draftOf(row), savedAt: null, version } };
  const { base, savedAt } = draft;
  const stored = { document: draftOf(draft.document, true), savedAt, version: base };
  if (!row || base === version) return { ...opened, stored };
  // A program has published something else since the draft was started.
  const before = base === null ? {} : await readVersion(client, base);
  const after = draftOf(row);
  return {
    ...opened,
    stored: { ...stored, published: { before: draftOf(before), after, version } },
  };
}

async function readScheduled(client: Client, { id, kind }: PostThing) {
  const query = client.from("schedules").select("*").eq("kind", kind.name).eq("thing", id);
  const { data: schedule } = await query.maybeSingle().throwOnError();
  if (!schedule) return null;
  const { version, failure, at } = schedule;
  const words = readDocument(await readVersion(client, version));
  const row = { ...words, id, published_date: at, created_at: at, updated_at: at };
  return { row: { ...row, is_sample: false, draft_version: null }, version, failure };
}

const publications: readonly ContentEvent[] = ["published", "unpublished"];

/** The version is not older than the row. */
async function readPublished(client: Client, post: PostThing) {
  const query = publicRows(client, post.kind).select("*").eq("id", post.id);
  const row: Post | null = (await query.maybeSingle().throwOnError()).data;
  if (!row) return null;
  const newest = { first: 0, count: 1 };
  const [version] = await listVersions(client, thingOf(post), publications, newest);
  return { row, version: version?.number ?? null };
}

function publicRows(client: Client, kind: Kind) {
  // Typed as posts, because both tables have their columns.
  return client.from(kind.names as "posts");
}

/** Ends the draft and the schedule. @returns the slug. @throws SlugCheckError, ChangedElsewhereError or the backend's error */
export async function publishPost(
  client: Client,
  post: PostThing,
  { savedAt }: Pick<Replaced, "savedAt">,
  input: PostInput,
  author: string,
): Promise<string> {
  let published = input.slug;
  const now = new Date().toISOString();
  const dates = { published_date: now, created_at: now, updated_at: now };
  const insert = async (slug: string) => {
    published = slug;
    const row = { ...input, ...dates, id: post.id, slug, author, draft_version: savedAt };
    return publicRows(client, post.kind).insert(row).select("id").single();
  };
  await changePost(client, post, input, () =>
    saveWithFreeSlug(input.slug, slugCheck(client, post), insert),
  );
  return published;
}

/** Publishes or saves. Succeeds when the post is stored and only the response was lost. */
async function changePost(
  client: Client,
  post: PostThing,
  input: PostInput,
  change: () => Promise<void>,
): Promise<void> {
  try {
    await withOwnChange(post.id, change);
  } catch (error) {
    const stored = (await readPublished(client, post).catch(() => null))?.row;
    if (stored && hasInput(stored, input)) return;
    const code = codeOf(error);
    throw isOutdated(code) || isDuplicate(code) ? new ChangedElsewhereError() : error;
  }
}

function hasInput(stored: Post, input: PostInput): boolean {
  return isSameDraft(draftOf(stored), draftOf({ ...stored, ...input, slug: stored.slug }));
}

/**
 * Saves changes of a published post and ends its draft.
 * @throws SlugCheckError, ChangedElsewhereError or the backend's error
 */
export async function updatePost(
  client: Client,
  post: PostThing,
  { savedAt, version }: Replaced,
  input: PostInput,
): Promise<void> {
  await changePost(client, post, input, async () => {
    const seen = await readPublished(client, post);
    if (!seen || seen.version !== version) throw new ChangedElsewhereError();
    const { slug, updated_at } = seen.row;
    // An unchanged address needs no check.
    const isTaken = input.slug === slug ? async () => false : slugCheck(client, post);
    await saveWithFreeSlug(input.slug, isTaken, async (slug) => {
      // The database sets the time.
      const changes = {
        ...input,
        slug,
        updated_at: new Date().toISOString(),
        draft_version: savedAt,
      };
      const { data, error } = await publicRows(client, post.kind)
        .update(changes)
        .eq("id", post.id)
        .in("updated_at", [updated_at])
        .select("id");
      return { error: error ?? (data.length === 0 ? new ChangedElsewhereError() : null) };
    });
  });
}

/**
 * Deletes a draft, then its images. Its text stays in the history.
 * @param replaced `savedAt` of the draft; null to delete the draft and the schedule, whatever their version
 * @throws ChangedElsewhereError or the backend's error
 */
export async function discardPostDraft(
  client: Client,
  post: PostThing,
  replaced: string | null,
): Promise<void> {
  await removeImages(readDocument(await discardDraft(client, thingOf(post), replaced)));
}

/**
 * Deletes a post, then its images. A draft of changes to it goes too; its text stays in the history.
 * @throws ChangedElsewhereError when the post is still there, or the backend's error
 */
export async function deletePost(client: Client, { id, kind }: PostThing): Promise<void> {
  const before = await publicRows(client, kind).select("image_url").eq("id", id).single();
  if (before.error && before.error.code !== "PGRST116") throw before.error;
  const [deleted] = await withOwnChange(id, async () => {
    const query = publicRows(client, kind).delete().eq("id", id);
    const deleted = query.select("id, image_url, content");
    return (await deleted.throwOnError()).data;
  });
  if (deleted) await removeImages(deleted);
  else if (before.data) throw new ChangedElsewhereError();
}

/**
 * Makes an earlier version the draft of its post, its images first: a draft names stored images only.
 * @param replaced `savedAt` of the draft that it replaces
 * @returns `savedAt` of the draft
 * @throws ChangedElsewhereError or the backend's error
 */
export async function restoreVersion(
  client: Client,
  { number, document }: { number: number; document: Json },
  replaced: string | null,
): Promise<string> {
  for (const url of imagesOf(readDocument(document))) await restoreStoredImage(client, url);
  return restore(client, number, replaced);
}

/**
 * Makes a draft of a post that was deleted in the last 30 days.
 * @throws ChangedElsewhereError when it was restored or removed meanwhile, or the backend's error
 */
export async function restorePost(client: Client, post: PostThing): Promise<void> {
  await restoreVersion(client, await readNewest(client, post), null);
}

/**
 * Publishes a post as it was before its deletion, its images first.
 * @throws ChangedElsewhereError when it was restored or removed meanwhile, or the backend's error
 */
export async function undoDeletion(client: Client, post: PostThing): Promise<void> {
  const { document } = await readNewest(client, post);
  for (const url of imagesOf(readDocument(document))) await restoreStoredImage(client, url);
  await undoStoredDeletion(client, thingOf(post));
}

/** Makes a published post a draft again. @throws ChangedElsewhereError when it was deleted meanwhile, or the backend's error */
export async function unpublishPost(client: Client, id: string): Promise<void> {
  const { data: isDraft } = await withOwnChange(id, async () =>
    client.rpc("unpublish", { thing: id }).throwOnError(),
  );
  if (!isDraft) throw new ChangedElsewhereError();
}

/**
 * Makes a draft with the words and images of a post or page, in the state that its editor shows.
 * @returns its id
 * @throws ChangedElsewhereError when nothing is stored of it any more, or the backend's error
 */
export async function duplicatePost(client: Client, post: PostThing): Promise<string> {
  const { stored } = await readPost(client, post);
  if (!stored) throw new ChangedElsewhereError();
  const { document } = stored;
  const title = `Copy of ${document.title || "Untitled"}`;
  const copy = { ...document, title: [...title].slice(0, postLimits.title).join(""), slug: "" };
  const thing = { kind: post.kind.name, thing: newId() };
  await saveDraft(client, thing, toDocument(copy), { savedAt: null, version: null });
  return thing.thing;
}

/** @throws ChangedElsewhereError without versions, or the backend's error */
async function readNewest(client: Client, { id, kind }: PostThing) {
  const versions = client.from("versions").select("number, document").eq("kind", kind.name);
  const newest = versions.eq("thing", id).order("number", { ascending: false }).limit(1);
  const { data } = await newest.maybeSingle().throwOnError();
  if (!data) throw new ChangedElsewhereError();
  return data;
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
