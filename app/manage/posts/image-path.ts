import { newId } from "../../supabase/new-id.ts";

/** The bucket of post images and the folder in it that everyone may read (section 3). */
export const imageBucket = "images";
const publicFolder = "public";

/** A path that no other upload has: an address is never reused, so no cache shows an old picture. */
export function newImagePath(extension: string): string {
  return `${publicFolder}/${newId()}.${extension}`;
}

/**
 * Where in the bucket the image of an address lies.
 * @param projectUrl the backend that owns the bucket
 * @returns null for images of the site itself, of other hosts and outside the public folder.
 */
export function imagePathOf(imageUrl: string | null, projectUrl: string): string | null {
  if (!imageUrl || !URL.canParse(imageUrl)) return null;
  const { origin, pathname } = new URL(imageUrl);
  const prefix = `/storage/v1/object/public/${imageBucket}/`;
  if (origin !== new URL(projectUrl).origin || !pathname.startsWith(prefix)) return null;
  const path = decode(pathname.slice(prefix.length));
  return path?.startsWith(`${publicFolder}/`) && !path.includes("..") ? path : null;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
