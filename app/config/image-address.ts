// Images as rows refer to them, and their addresses. A reference is `images/public/{name}` for a file of the images bucket
// (the bucket and the percent-encoded name), `/images/…` for a file of the site, or an address on another host.
// docs/decisions/2026-11-22-image-references.md
import { fileSizes } from "../../supabase/functions/_shared/database-limits.ts";

/** The largest image that can be uploaded. */
export const maxImageMegabytes = fileSizes.images / 1024 ** 2;

/** The maximum number of pixels: more than cameras have. Larger images are rejected before they are decoded. */
export const maxImagePixels = 100_000_000;

/** The start of a reference to an upload. */
export const uploads = "images/public/";

/**
 * Widths in pixels in which images are served. A phone of 390 px with three device pixels each shows a
 * full-width image with 1200.
 */
export const imageWidths = [320, 480, 640, 800, 1000, 1200, 1600] as const;

/** The height of an image that is cropped to 16:9, as posts show theirs. */
export function wideHeight(width: number): number {
  return Math.round((width * 9) / 16);
}

/** An upload or a file of the site. No other spelling of these: it would get around the checks of what is in use. */
export const ownImage =
  /^(images\/public(\/(?!\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*'()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+|\/images\/(?![0-9]+(x[0-9]+)?\/)((?!uploads\/)[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?)$/;
const otherImage =
  /^https?:\/\/[A-Za-z0-9-]+([.][A-Za-z0-9-]+)*(:[0-9]{1,5})?([/?#]([A-Za-z0-9_.~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?$/;
/** The paths of the site's own files in a decoded address. */
const ownPath =
  /\/\.{1,2}(\/|$)|\\|%[0-9a-f]{2}|\/storage\/+v1\/|\/images\/+[0-9]+(x[0-9]+)?\/+uploads\//i;

/** Whether rows may name an image so, and a page may load it. The same as private.is_image. */
export function isReference(src: string): boolean {
  const [, path = ""] = /^(?:https?:\/\/[^/?#]+)?([^?#]*)/.exec(src) ?? [];
  try {
    const decoded = decodeURIComponent(path);
    return ownImage.test(src) || (otherImage.test(src) && !ownPath.test(decoded));
  } catch {
    return false;
  }
}

/**
 * Adds the time of the last change as `t`, so that caches do not serve a replaced image.
 * Replaces an existing `t`; keeps other parameters and the hash.
 * @param time ISO 8601
 * @returns null for anything but a reference, such as a script or data URL
 */
export function withVersion(reference: string | null, time: string): string | null {
  if (!reference || !isReference(reference)) return null;
  const { path, parameters, hash } = splitReference(reference);
  parameters.set("t", String(new Date(time).getTime()));
  return `${path}?${parameters}${hash}`;
}

// `new URL` rejects what is relative.
export function splitReference(reference: string) {
  const [, path = "", query = "", hash = ""] =
    reference.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s) ?? [];
  return { path, parameters: new URLSearchParams(query), hash };
}

/**
 * The site-relative address of an image: resized, for an upload or a photograph of the site. SVG files and addresses on
 * other hosts stay as they are.
 * @param reference may have a version `t`
 * @param size `{width}`, or `{width}x{height}` to crop it to 16:9
 */
export function imageAddress(reference: string, size: number | string): string {
  const { path, parameters } = splitReference(reference);
  const version = parameters.get("t");
  const source = path.startsWith(uploads)
    ? `uploads/${path.slice(uploads.length)}`
    : /^\/(?!\/).*\.(avif|gif|jpe?g|png|webp)$/i.test(path) && `site${path}`;
  if (!source) return reference;
  return `/images/${size}/${source}${version ? `?t=${encodeURIComponent(version)}` : ""}`;
}

/** The complete address of an image for feeds, search engines and social networks; empty when there is none. */
export function publicImageAddress(reference: string | null, siteUrl: string): string {
  return (reference && URL.parse(imageAddress(reference, 1200), siteUrl)?.href) || "";
}
