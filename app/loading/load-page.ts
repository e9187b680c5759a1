import type { Result } from "./loaded.tsx";

/** How a list is split into pages. */
export interface Paging {
  /** Rows per page. */
  size: number;
  /** How many rows more than `size` the first page has; negative for fewer. */
  extra?: number;
}

/** One page of a list, newest first. */
export interface ListPage<Row> {
  rows: Row[];
  /** 1 for the newest rows. */
  page: number;
  /** Whether older rows follow. */
  hasNext: boolean;
}

/** @param read reads `count` rows after the `first` newest ones */
export async function loadPage<Row>(
  read: (first: number, count: number) => Promise<Row[]>,
  { size, extra = 0 }: Paging,
  page: number,
): Promise<ListPage<Row>> {
  const first = page === 1 ? 0 : (page - 1) * size + extra;
  const count = page === 1 ? size + extra : size;
  // One more row shows whether there is a next page.
  const rows = await read(first, count + 1);
  return { rows: rows.slice(0, count), page, hasNext: rows.length > count };
}

/** The number of pages for this many rows; at least 1. */
export function countPages(rows: number, { size, extra = 0 }: Paging): number {
  return Math.max(1, Math.ceil((rows - extra) / size));
}

/** Whether the page is beyond the end of the list. */
export function isBeyondLast({ rows, page }: ListPage<unknown>): boolean {
  return rows.length === 0 && page > 1;
}

/** The HTTP status of a list's page: 404 beyond the last page, so that search engines do not list it. */
export function statusOf(result: Result<ListPage<unknown>>): number {
  return "value" in result && isBeyondLast(result.value) ? 404 : 200;
}
