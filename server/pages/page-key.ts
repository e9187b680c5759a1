const plainPath = /^\/[a-z0-9_.~/-]*$/;

/** What the pages read of a query, written in the one way that the cache knows. A new parameter is added here. */
const readers: { path: RegExp; read: (query: URLSearchParams) => string }[] = [
  // pageOf() of app/ui/pager.tsx reads it in the same way.
  { path: /^\/(blog|testimonials)\/?$/, read: readPage },
  // The contact form thanks for a message that was sent without scripts.
  { path: /^\/(contact\/?)?$/, read: (query) => (query.has("sent") ? "?sent" : "") },
  // With the version of its post, browsers may cache a share image for a year.
  { path: /^\/share\//, read: readVersion },
];

/**
 * The address under which a page is cached, and the only one that its rendering gets to know: the path
 * and the parameters that this page reads. All others are left out, so that a made-up parameter does
 * not have a page rendered again.
 * @param target path and query as they were asked for
 * @returns null for what is not cached: an unusual spelling of the path, or the router's own data
 * requests
 */
export function pageKey(target: string): string | null {
  const [path = "", query] = target.split("?", 2);
  if (!plainPath.test(path) || /\/[/.]|\.data$/.test(path)) return null;
  if (query === undefined) return path;
  const reader = readers.find((candidate) => candidate.path.test(path));
  return reader ? path + reader.read(new URLSearchParams(target.slice(path.length))) : path;
}

function readPage(query: URLSearchParams): string {
  const page = Number(query.get("page") ?? 1);
  return Number.isInteger(page) && page > 1 && page <= 100_000 ? `?page=${page}` : "";
}

function readVersion(query: URLSearchParams): string {
  const version = query.get("t") ?? "";
  return /^\d{1,15}$/.test(version) ? `?t=${version}` : "";
}
