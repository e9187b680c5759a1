// What /manage/archive shows, in its URL.
import { cleanQuery } from "../../loading/search-query.ts";
import { pageOf } from "../../ui/pager.tsx";

export interface ArchiveSearch {
  /** The moment, in ISO 8601; empty for none. */
  at: string;
  /** The number of the copy to open; 0 for none. */
  copy: number;
  /** The page to open at the moment, when its copy is not known. */
  path: string;
  query: string;
  /** Of the results of the query. */
  page: number;
  /** Whether the open copy is compared with the earlier one. */
  compares: boolean;
}

export function searchOf(search: string): ArchiveSearch {
  const parameters = new URLSearchParams(search);
  const given = (name: string) => parameters.get(name) ?? "";
  const [at, copy, path] = [given("at"), Number(given("copy")), given("path")];
  return {
    at: isMoment(at) ? at : "",
    copy: Number.isSafeInteger(copy) ? Math.max(copy, 0) : 0,
    path: isMoment(at) && path.startsWith("/") ? path : "",
    query: cleanQuery(given("q")),
    page: pageOf(search),
    compares: parameters.has("differences"),
  };
}

/** Not converted to a Date, which would lose the microseconds of a copy. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

export function archiveUrl(search: Partial<ArchiveSearch>): string {
  const { at, copy, path, query, page = 1, compares } = search;
  const differences = compares && "1";
  const given = { at, copy, path, q: query, page: page > 1 && page, differences };
  const parameters = Object.entries(given).flatMap(([name, value]) =>
    value ? [[name, String(value)]] : [],
  );
  return parameters.length > 0
    ? `/manage/archive?${new URLSearchParams(parameters)}`
    : "/manage/archive";
}
