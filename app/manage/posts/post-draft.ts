// Drafts of posts in this browser. Unlike the drafts of visitors' forms they outlive the tab.
import { type PostDraft, postDraftSchema } from "./post-schema.ts";

/** Drafts of earlier releases lack these fields where they had no value. */
const optionalFields = { image: null, id: null, seenVersion: null };

function storageKey(postId: string | null): string {
  return `post-draft:${postId ?? "new"}`;
}

/**
 * @param postId null for a new post
 * @returns null when no draft is stored or it can't be read
 */
export function readDraft(postId: string | null): PostDraft | null {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(postId)) ?? "null");
    return postDraftSchema.safeParse({ ...optionalFields, ...stored }).data ?? null;
  } catch {
    return null;
  }
}

/** Stores a draft; null removes it. */
export function storeDraft(postId: string | null, draft: PostDraft | null): void {
  try {
    if (draft) localStorage.setItem(storageKey(postId), JSON.stringify(draft));
    else localStorage.removeItem(storageKey(postId));
  } catch (error) {
    // The form works without storage, which can be full or forbidden.
    console.error("Storing the draft failed", error);
  }
}

/** Whether two drafts have the same content. */
export function isSameDraft(a: PostDraft, b: PostDraft): boolean {
  const services = (draft: PostDraft) => draft.relatedServices.toSorted().join();
  return (
    a.title === b.title &&
    a.category === b.category &&
    a.text === b.text &&
    services(a) === services(b) &&
    a.image?.path === b.image?.path
  );
}
