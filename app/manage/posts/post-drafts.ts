// Reads and writes drafts and scheduled posts. Policies give them to owners and editors.
import type { Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import type { SaveResult } from "../draft-session.ts";
import type { PostInput } from "./post-schema.ts";
import { findFreeSlugFor } from "./slug.ts";

type Tables = Database["public"]["Tables"];

export type DraftRow = Tables["post_drafts"]["Row"];
export type DraftInsert = Tables["post_drafts"]["Insert"];
export type ScheduledPost = Tables["scheduled_posts"]["Row"];

/** The post was saved elsewhere after it was opened here. Nothing was overwritten. */
export class NewerVersionError extends Error {}

/** The post is no longer scheduled: its time has come, or another window published it. */
export class PublishedMeanwhileError extends Error {}

/** What the database has of a post. */
export interface StoredPost {
  draft: DraftRow | null;
  scheduled: ScheduledPost | null;
  published: Post | null;
}

/** The last save of this tab, which may still be running. Never rejects. */
let lastSave: Promise<unknown> = Promise.resolve();

/** @throws the backend's error */
export async function readStoredPost(client: Client, id: string): Promise<StoredPost> {
  await lastSave;
  const [draft, scheduled, published] = await Promise.all([
    readPostDraft(client, id),
    client.from("scheduled_posts").select("*").eq("id", id).maybeSingle().throwOnError(),
    client.from("posts").select("*").eq("id", id).maybeSingle().throwOnError(),
  ]);
  return { draft, scheduled: scheduled.data, published: published.data };
}

/** @throws the backend's error */
export async function readPostDraft(client: Client, id: string): Promise<DraftRow | null> {
  const { data } = await client
    .from("post_drafts")
    .select("*")
    .eq("id", id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/**
 * Stores a draft. Later reads of this tab wait for it.
 * @param replaced `updated_at` of the draft that it is based on; null when there was none
 * @throws the backend's error
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
  const isDuplicate = error?.code === "23505";
  if (error && !isDuplicate) throw error;
  const other = await readPostDraft(client, row.id);
  return { conflict: other && { document: other, savedAt: other.updated_at } };
}

/**
 * Deletes a draft whose text is stored elsewhere, unless it was changed since `savedAt`. A failure is only logged:
 * a draft that equals its post is removed when the editor opens it.
 */
export async function removePostDraft(client: Client, id: string, savedAt: string): Promise<void> {
  const { error } = await client
    .from("post_drafts")
    .delete()
    .eq("id", id)
    .eq("updated_at", savedAt);
  if (error) console.error("Removing a draft failed", id, error);
}

/**
 * Deletes a draft and keeps its text in the history of its post.
 * @returns whether it is gone; false when another window has changed it
 * @throws the backend's error
 */
export async function discardPostDraft(
  client: Client,
  id: string,
  savedAt: string,
): Promise<boolean> {
  const { data: discarded } = await client
    .rpc("discard_draft", { draft_id: id, seen_version: savedAt })
    .throwOnError();
  return discarded || (await readPostDraft(client, id)) === null;
}

/**
 * Adds the stored draft to the history of its post.
 * @returns whether there is such a draft
 * @throws the backend's error
 */
export async function saveDraftVersion(client: Client, id: string): Promise<boolean> {
  const { data } = await client.rpc("save_draft_version", { draft_id: id }).throwOnError();
  return data;
}

interface Schedule {
  id: string;
  author: string;
  /** When it is published, ISO 8601. */
  publishedDate: string;
  /** `updated_at` of the scheduled version that is changed; null for a post that is not scheduled yet. */
  seenVersion: string | null;
}

/**
 * Schedules a post, or changes a scheduled one.
 * @returns the stored row
 * @throws SlugCheckError, NewerVersionError, PublishedMeanwhileError or the backend's error
 */
export async function schedulePost(
  client: Client,
  input: PostInput,
  { id, author, publishedDate, seenVersion }: Schedule,
): Promise<ScheduledPost> {
  const slug = await findFreeSlugFor(client, id, input.slug);
  const row = { ...input, id, author, slug, published_date: publishedDate };
  const table = client.from("scheduled_posts");
  const { data, error } = await (seenVersion === null
    ? table.insert(row)
    : table.update(row).eq("id", id).eq("updated_at", seenVersion)
  )
    .select()
    .maybeSingle();
  if (data) return data;
  const { published, scheduled } = await readStoredPost(client, id);
  if (published) throw new PublishedMeanwhileError();
  if (scheduled) throw new NewerVersionError();
  throw error ?? new NewerVersionError();
}

/**
 * Makes a scheduled post a draft again.
 * @throws PublishedMeanwhileError or the backend's error
 */
export async function unschedulePost(client: Client, id: string): Promise<void> {
  const { data: done } = await client.rpc("unschedule_post", { post_id: id }).throwOnError();
  if (!done) throw new PublishedMeanwhileError();
}

/**
 * Removes the schedule of a post that was published by hand. A failure is only logged: the scheduled job skips
 * a published post.
 */
export async function removeSchedule(client: Client, id: string): Promise<void> {
  const { error } = await client.from("scheduled_posts").delete().eq("id", id);
  if (error) console.error("Removing a schedule failed", id, error);
}
