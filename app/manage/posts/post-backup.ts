// Backs up drafts of posts in this browser until they are saved.
import { keepBackup, readBackup } from "../draft-backup.ts";
import type { Backup } from "../draft-session.ts";
import { type PostDraft, postDraftSchema } from "./post-schema.ts";

/** The key for the id of a new post that was never saved and whose address therefore lacks it. */
const newPostKey = (isPage: boolean) => (isPage ? "page-draft:new" : "post-draft:new");

function storageKey(id: string): string {
  return `post-draft:${id}`;
}

/** @returns null when nothing is kept or it can't be read */
export function readPostBackup(id: string): Backup<PostDraft> | null {
  return readBackup(storageKey(id), (kept) => postDraftSchema.parse(kept));
}

export function keepPostBackup(id: string, backup: Backup<PostDraft> | null): void {
  keepBackup(storageKey(id), backup);
  if (!backup || backup.savedAt !== null) forgetNewPost(id);
}

/** The id of a new post that only this browser stores. */
export function readNewPostId(isPage = false): string | null {
  try {
    const id = localStorage.getItem(newPostKey(isPage));
    return id && readPostBackup(id) ? id : null;
  } catch {
    return null;
  }
}

/** Makes /blog/new continue with this post while only this browser stores it. */
export function rememberNewPost(id: string, isPage = false): void {
  try {
    localStorage.setItem(newPostKey(isPage), id);
  } catch {}
}

function forgetNewPost(id: string): void {
  try {
    for (const key of [newPostKey(false), newPostKey(true)]) {
      if (localStorage.getItem(key) === id) localStorage.removeItem(key);
    }
  } catch {}
}
