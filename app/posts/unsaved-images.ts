import { removeImage } from "./image-upload.ts";

/**
 * The pictures that this tab uploaded and that no post refers to yet. They outlive a reload and a new
 * login in this tab, so that none stays behind in the bucket.
 */
const storageKey = "unsaved-images";

export function listUnsavedImages(): string[] {
  return JSON.parse(sessionStorage.getItem(storageKey) ?? "[]");
}

export function rememberUnsavedImage(path: string): void {
  sessionStorage.setItem(storageKey, JSON.stringify([...listUnsavedImages(), path]));
}

/** After the post was saved, or the picture removed. */
export function forgetUnsavedImage(path: string): void {
  const others = listUnsavedImages().filter((other) => other !== path);
  sessionStorage.setItem(storageKey, JSON.stringify(others));
}

/** Removes a picture that will not be used. */
export async function dropUnsavedImage(path: string): Promise<void> {
  await removeImage(path);
  forgetUnsavedImage(path);
}
