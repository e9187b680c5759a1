// Drafts of posts that are kept in this browser until they are saved.
import { keepBackup, readBackup } from "../draft-backup.ts";
import type { Backup } from "../draft-session.ts";
import { type PostDraft, postDraftSchema } from "./post-schema.ts";

/** Holds the id of a new post that was never saved: its address does not name it. */
const newPostKey = "post-draft:new";

function storageKey(id: string): string {
  return `post-draft:${id}`;
}

/** @returns null when nothing is kept or it can't be read */
export function readPostBackup(id: string): Backup<PostDraft> | null {
  return readBackup(storageKey(id), (kept) => postDraftSchema.parse(kept));
}

/** Null removes it. */
export function keepPostBackup(id: string, backup: Backup<PostDraft> | null): void {
  keepBackup(storageKey(id), backup);
  if (!backup || backup.savedAt !== null) forgetNewPost(id);
}

/** The id of a new post that this browser keeps and the database does not have. */
export function readNewPostId(): string | null {
  try {
    const id = localStorage.getItem(newPostKey);
    return id && readPostBackup(id) ? id : null;
  } catch {
    return null;
  }
}

/** Makes /blog/new continue with this post as long as only this browser has it. */
export function rememberNewPost(id: string): void {
  try {
    localStorage.setItem(newPostKey, id);
  } catch {}
}

function forgetNewPost(id: string): void {
  try {
    if (localStorage.getItem(newPostKey) === id) localStorage.removeItem(newPostKey);
  } catch {}
}
