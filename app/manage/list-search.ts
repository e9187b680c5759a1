// Reads which rows a list shows from its URL.
import { cleanQuery } from "../loading/search-query.ts";
import { pageOf } from "../ui/pager.tsx";

export interface ListSearch<Filter extends string> {
  filter: Filter | "all";
  query: string;
  /** 1 for the newest rows. */
  page: number;
}

/** The search that a URL's query requests; the default for anything invalid. */
export function readSearch<Filter extends string>(
  urlQuery: string,
  filters: readonly Filter[],
): ListSearch<Filter> {
  const parameters = new URLSearchParams(urlQuery);
  return {
    filter: filters.find((each) => each === parameters.get("filter")) ?? "all",
    query: cleanQuery(parameters.get("q") ?? ""),
    page: pageOf(urlQuery),
  };
}

/** The URL of a search's first page. */
export function searchUrl(path: string, search: Record<string, string>): string {
  const given = Object.entries(search).filter(([, value]) => value && value !== "all");
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
