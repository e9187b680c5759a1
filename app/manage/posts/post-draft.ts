import type { UploadedImage } from "./image-storage.ts";

/** What is typed in the post form, kept in the browser until it is saved or discarded. */
export interface PostDraft {
  title: string;
  category: string;
  text: string;
  relatedServices: string[];
  /** The uploaded image of a post that is not yet created. */
  image?: UploadedImage | null;
  /** The id of a post that is not yet created, from the first attempt to publish it. */
  id?: string;
  /** `updated_at` of the version that is being edited. */
  seenVersion?: string;
}

function storageKey(postId: string | null): string {
  return `post-draft:${postId ?? "new"}`;
}

/** @param postId null for the post to be created. */
export function readDraft(postId: string | null): PostDraft | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey(postId)) ?? "null");
  } catch {
    return null;
  }
}

export function keepDraft(postId: string | null, draft: PostDraft): void {
  try {
    localStorage.setItem(storageKey(postId), JSON.stringify(draft));
  } catch (error) {
    // A full or closed storage must not stop the writing.
    console.error("Keeping the draft failed", error);
  }
}

export function discardDraft(postId: string | null): void {
  localStorage.removeItem(storageKey(postId));
}
