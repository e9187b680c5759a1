// Reads which rows a list shows from its URL, and loads them.
import { keysOf } from "../../supabase/functions/_shared/object-keys.ts";
import { type ListPage, loadPage } from "../loading/load-page.ts";
import { cleanQuery } from "../loading/search-query.ts";
import { pageOf } from "../ui/pager.tsx";

export interface ListSearch<Filter extends string> {
  filter: Filter | "all";
  query: string;
  /** 1 for the newest rows. */
  page: number;
}

/**
 * The search that a URL's query requests; the default for anything invalid.
 * @param filters with their labels
 */
export function readSearch<Filter extends string>(
  urlQuery: string,
  filters: Readonly<Record<Filter, string>>,
): ListSearch<Filter> {
  const parameters = new URLSearchParams(urlQuery);
  return {
    filter: keysOf(filters).find((each) => each === parameters.get("filter")) ?? "all",
    query: cleanQuery(parameters.get("q") ?? ""),
    page: pageOf(urlQuery),
  };
}

export function searchUrl(path: string, search: Record<string, string>): string {
  const given = Object.entries(search).filter(([, value]) => value && value !== "all");
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/**
 * Loads a page of the rows that a function of the database finds, with what else the function responds.
 * @param totalOf reads the number of rows on all pages from a response
 */
export async function loadFound<Found extends { rows: unknown[] }>(
  read: (first: number, count: number) => Promise<Found>,
  totalOf: (found: Found) => number,
  page: number,
  size = 20,
): Promise<Found & ListPage<Found["rows"][number]>> {
  // loadPage reads at least once.
  let found!: Found;
  const list = await loadPage(
    async (first, count) => {
      found = await read(first, count);
      return found.rows;
    },
    async () => totalOf(found),
    { size },
    page,
  );
  return { ...found, ...list };
}
