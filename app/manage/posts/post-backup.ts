// Backs up drafts of posts in this browser until they are saved.
import { browserStorage } from "../../browser/site-data.ts";
import { keepBackup, readBackup } from "../versions/draft-backup.ts";
import type { Backup } from "../versions/draft-session.ts";
import { type Kind, kinds } from "./kinds.ts";
import { type PostDraft, postDraftSchema } from "./post-schema.ts";

/** The key for the id of a new post that was never saved and whose address therefore lacks it. */
const newPostKey = ({ name }: Kind) => `${name}-draft:new`;

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
export function readNewPostId(kind: Kind): string | null {
  const id = browserStorage.getItem(newPostKey(kind));
  return id && readPostBackup(id) ? id : null;
}

/** Makes the page for a new one continue with this post while only this browser stores it. */
export function rememberNewPost(id: string, kind: Kind): void {
  browserStorage.setItem(newPostKey(kind), id);
}

function forgetNewPost(id: string): void {
  for (const key of Object.values(kinds).map(newPostKey)) {
    if (browserStorage.getItem(key) === id) browserStorage.removeItem(key);
  }
}
