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
  /** Whether a page beyond this one, the last, was requested. */
  isBeyondLast?: boolean;
}

/**
 * Loads a page of a list. A page beyond the last is the last one: rows may have been removed since its link was made.
 * @param read reads `count` rows after the `first` newest ones; none beyond the end
 * @param countRows counts the list; called when there are no rows on the page
 */
export async function loadPage<Row>(
  read: (first: number, count: number) => Promise<Row[]>,
  countRows: () => Promise<number>,
  paging: Paging,
  page: number,
): Promise<ListPage<Row>> {
  const wanted = await readPage(read, paging, page);
  if (wanted.rows.length > 0 || page === 1) return wanted;
  // A page before the requested one, even if rows are counted that the list leaves out.
  const last = Math.min(countPages(await countRows(), paging), page - 1);
  return { ...(await readPage(read, paging, last)), isBeyondLast: true };
}

async function readPage<Row>(
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

/** The HTTP status of a list's page: 404 beyond the last page, so that search engines do not list it. */
export function statusOf(result: Result<ListPage<unknown>>): number {
  return "value" in result && result.value.isBeyondLast ? 404 : 200;
}
