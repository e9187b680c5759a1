// Images as rows refer to them, and their addresses. A reference is `images/public/{name}` for a file of the images bucket
// (the bucket and the percent-encoded name), `/images/…` for a file of the site, or an address on another host.
// docs/decisions/2026-11-22-image-references.md

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

/** Whether a page may load an image: never a script or data address. The same as the CHECK posts_image_url_scheme. */
export function isReference(src: string): boolean {
  return /^(images|https?:\/)?\/[^/\\]/i.test(src);
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
