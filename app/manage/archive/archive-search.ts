// What /manage/archive shows, in its URL.
import { cleanQuery } from "../../loading/search-query.ts";
import { pageOf } from "../../ui/pager.tsx";

export interface ArchiveSearch {
  /** The moment, in ISO 8601; empty for none. */
  at: string;
  /** The page of the past site. Empty: the page that shows the item, else the home page. */
  path: string;
  kind: string;
  item: string;
  query: string;
  /** Of the results of the query. */
  page: number;
}

export function searchOf(search: string): ArchiveSearch {
  const parameters = new URLSearchParams(search);
  const given = (name: string) => parameters.get(name) ?? "";
  const at = given("at");
  return {
    at: isMoment(at) ? at : "",
    path: /^\/(?!\/)/.test(given("path")) ? given("path") : "",
    kind: given("kind"),
    item: given("item"),
    query: cleanQuery(given("q")),
    page: pageOf(search),
  };
}

/** Not converted to a Date, which would lose the microseconds of an entry. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

export function archiveUrl({ query, page, ...rest }: Partial<ArchiveSearch>): string {
  const given = { ...rest, q: query, page: page && page > 1 ? String(page) : "" };
  const parameters = Object.entries(given).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  return parameters.length > 0
    ? `/manage/archive?${new URLSearchParams(parameters)}`
    : "/manage/archive";
}
