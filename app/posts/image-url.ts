/**
 * Adds the time of the last change as `t`, so that a cache never serves a replaced image (section 7).
 * An existing `t` is replaced; other parameters, the hash and relative addresses stay as they are.
 * @param time ISO 8601
 * @returns null for what is no address on the web or on the site: a script or data address is not shown.
 */
export function withVersion(imageUrl: string | null, time: string): string | null {
  if (!imageUrl || !isWebAddress(imageUrl)) return null;
  const { path, parameters, hash } = split(imageUrl);
  parameters.set("t", String(new Date(time).getTime()));
  return `${path}?${parameters}${hash}`;
}

/** Takes `t` away again: it is never stored. */
export function withoutVersion(imageUrl: string | null): string | null {
  if (!imageUrl) return null;
  const { path, parameters, hash } = split(imageUrl);
  if (!parameters.has("t")) return imageUrl;
  parameters.delete("t");
  return `${path}${parameters.size > 0 ? `?${parameters}` : ""}${hash}`;
}

/** The same as the CHECK posts_image_url_scheme. */
function isWebAddress(url: string): boolean {
  return /^(https?:\/\/[^/]|\/[^/\\])/i.test(url);
}

// Not `new URL`: an image of the site itself has a relative address.
function split(url: string) {
  const [, path = "", query = "", hash = ""] = url.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s) ?? [];
  return { path, parameters: new URLSearchParams(query), hash };
}
