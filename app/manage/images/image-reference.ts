import { posts } from "../../../supabase/functions/_shared/database-limits.ts";
import { splitReference, uploads } from "../../config/image-address.ts";

/** What the database says (private.use_image, private.use_post_images). */
export const imageRefused = "The address of an image is not accepted. Upload the image instead.";
/** The maximum length of an alternative text. */
export const maxAltLength = posts.alt;

/**
 * What a row stores for an image: for an upload its reference, for others their address without the version `t`. In the
 * database, private.with_references does the same with addresses of uploads.
 * @param image a reference, or an address such as the one that Storage returns
 */
export function toReference(image: string | null): string | null {
  if (!image) return null;
  const { path, parameters, hash } = splitReference(image);
  const [, upload = path] =
    path.match(/\/storage\/v1\/(?:object|render\/image)\/public\/(images\/.+)$/) ?? [];
  if (upload.startsWith(uploads)) return upload;
  if (!parameters.has("t")) return image;
  parameters.delete("t");
  return `${path}${parameters.size > 0 ? `?${parameters}` : ""}${hash}`;
}
