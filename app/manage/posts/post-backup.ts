// Keeps what was typed and not saved yet in this browser, also when it is closed.
import { z } from "zod/mini";
import type { Backup } from "../draft-session.ts";
import { type PostDraft, postDraftSchema } from "./post-schema.ts";

const backupSchema = z.object({
  document: postDraftSchema,
  savedAt: z.union([z.string(), z.literal(null)]),
});

/** Holds the id of a new post that was never saved: its address does not name it. */
const newPostKey = "post-draft:new";

function storageKey(id: string): string {
  return `post-draft:${id}`;
}

/** @returns null when nothing is kept or it can't be read */
export function readPostBackup(id: string): Backup<PostDraft> | null {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey(id)) ?? "null");
    return backupSchema.safeParse(kept).data ?? null;
  } catch {
    return null;
  }
}

/** Null removes it. */
export function keepPostBackup(id: string, backup: Backup<PostDraft> | null): void {
  try {
    if (backup) localStorage.setItem(storageKey(id), JSON.stringify(backup));
    else localStorage.removeItem(storageKey(id));
    if (!backup || backup.savedAt !== null) forgetNewPost(id);
  } catch (error) {
    // Editing works without storage, which can be full or forbidden.
    console.error("Keeping the draft in this browser failed", error);
  }
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
  if (localStorage.getItem(newPostKey) === id) localStorage.removeItem(newPostKey);
}
