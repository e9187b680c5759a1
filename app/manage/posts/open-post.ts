import type { Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import { readPostBackup } from "./post-backup.ts";
import { type DraftRow, readStoredPost, removePostDraft } from "./post-drafts.ts";
import { draftOf, isSameDraft } from "./post-schema.ts";

/** A post in the editor. */
export interface OpenedPost {
  id: string;
  state: "draft" | "scheduled" | "published";
  /** The scheduled or published post; null for a draft. Both tables have the same columns. */
  row: Post | null;
  /** Why a scheduled post could not be published at its time. */
  failure: string | null;
  /** The working copy; null while nothing was changed. */
  draft: DraftRow | null;
}

/** A post that nothing is stored of. */
export function newPost(id: string): OpenedPost {
  return { id, state: "draft", row: null, failure: null, draft: null };
}

/**
 * Reads a post with its draft. A draft that equals its post is removed: the post was saved, and removing the
 * draft failed.
 * @returns null when nothing is stored of the post, here or in the database
 * @throws the backend's error
 */
export async function openPost(client: Client, id: string): Promise<OpenedPost | null> {
  const { draft, scheduled, published } = await readStoredPost(client, id);
  const row = published ?? scheduled;
  if (!row && !draft) return readPostBackup(id) ? newPost(id) : null;
  const failure = scheduled?.failure ?? null;
  if (!row) return { id, state: "draft", row, failure, draft };
  const state = published ? "published" : "scheduled";
  if (!draft || !isSameDraft(draftOf(draft), draftOf(row))) {
    return { id, state, row, failure, draft };
  }
  await removePostDraft(client, id, draft.updated_at);
  return { id, state, row, failure, draft: null };
}
