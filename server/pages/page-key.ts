/** Added to shared links by others. They change nothing on a page. */
const tracking = /^(utm_\w+|fbclid|gclid|gbraid|wbraid|msclkid|mc_cid|mc_eid)$/;
const plainPath = /^\/[a-z0-9_.~/-]*$/;

/**
 * The one address under which a page is kept: its path and the number of its page. Whatever changes
 * nothing is left out.
 * @param target path and query as they were asked for
 * @returns null for what is not kept: an unusual spelling, a parameter that a page may read, or the
 * router's own data requests, which cost no rendering
 */
export function pageKey(target: string): string | null {
  const [path = "", query] = target.split("?", 2);
  if (!plainPath.test(path) || /\/[/.]|\.data$/.test(path)) return null;
  if (query === undefined) return path;
  let page = "";
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(target.slice(path.length))) {
    if (tracking.test(name)) continue;
    if (name !== "page" || seen.has(name) || !/^[1-9]\d{0,5}$/.test(value)) return null;
    seen.add(name);
    if (value !== "1") page = `?page=${value}`;
  }
  return path + page;
}
