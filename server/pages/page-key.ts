const plainPath = /^\/[a-z0-9_.~/-]*$/;
/** The paths of draft previews. Each address is secret and shows the newest draft. */
const privatePath = /^\/blog\/preview\//;

/** The query parameters that pages read, in one canonical form; null prevents caching. Add new parameters here. */
const queryReaders: { path: RegExp; read: (query: URLSearchParams) => string | null }[] = [
  // Searches are not cached, because anyone could invent enough of them to evict the pages of others.
  { path: /^\/blog\/?$/, read: (query) => (query.get("q") ? null : readPage(query)) },
  // The same rules as pageOf() in app/ui/pager.tsx.
  { path: /^\/(testimonials|blog\/category\/[^/]+)\/?$/, read: readPage },
  // Former addresses of posts: not cached, because anyone could invent enough of them to evict pages.
  {
    path: /^\/$/,
    read: (query) =>
      query.has("p") || query.has("page_id") ? null : query.has("sent") ? "?sent" : "",
  },
  // The confirmation after a contact form was submitted without scripts.
  { path: /^\/contact\/?$/, read: (query) => (query.has("sent") ? "?sent" : "") },
  // The version of the post and the settings, which lets browsers cache a share image for a year.
  { path: /^\/share\//, read: readVersion },
];

/**
 * The cache key of a page, which is also the only address that its rendering sees: the path and the query
 * parameters that the page reads. Other parameters are dropped, so that they cause no further renderings.
 * @param target path and query of the request
 * @returns null for what is not cached: unusual spellings of a path, searches, previews, and React Router's data requests
 */
export function pageKey(target: string): string | null {
  const [path = "", query] = target.split("?", 2);
  if (!plainPath.test(path) || /\/[/.]|\.data$/.test(path) || privatePath.test(path)) return null;
  if (query === undefined) return path;
  const reader = queryReaders.find((candidate) => candidate.path.test(path));
  if (!reader) return path;
  const read = reader.read(new URLSearchParams(target.slice(path.length)));
  return read === null ? null : path + read;
}

function readPage(query: URLSearchParams): string {
  const page = Number(query.get("page") ?? 1);
  return Number.isInteger(page) && page > 1 && page <= 100_000 ? `?page=${page}` : "";
}

function readVersion(query: URLSearchParams): string {
  const version = query.get("t") ?? "";
  return /^\d{1,15}$/.test(version) ? `?t=${version}` : "";
}
