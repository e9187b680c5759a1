/**
 * Adds the time of the last change as `t`, so that caches do not serve a replaced image.
 * Replaces an existing `t`; keeps other parameters, the hash and relative addresses.
 * @param time ISO 8601
 * @returns null for anything but an http, https or site-relative address, such as a script or data URL
 */
export function withVersion(imageUrl: string | null, time: string): string | null {
  if (!imageUrl || !isWebAddress(imageUrl)) return null;
  const { path, parameters, hash } = split(imageUrl);
  parameters.set("t", String(new Date(time).getTime()));
  return `${path}?${parameters}${hash}`;
}

/** Removes `t`, which must not be stored. */
export function withoutVersion(imageUrl: string | null): string | null {
  if (!imageUrl) return null;
  const { path, parameters, hash } = split(imageUrl);
  if (!parameters.has("t")) return imageUrl;
  parameters.delete("t");
  return `${path}${parameters.size > 0 ? `?${parameters}` : ""}${hash}`;
}

/** Whether the scheme is allowed, as in the CHECK posts_image_url_scheme. */
function isWebAddress(url: string): boolean {
  return /^(https?:\/\/[^/]|\/[^/\\])/i.test(url);
}

// `new URL` rejects the relative addresses of the site's own images.
function split(url: string) {
  const [, path = "", query = "", hash = ""] = url.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s) ?? [];
  return { path, parameters: new URLSearchParams(query), hash };
}
