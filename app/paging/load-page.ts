export interface PageRequest {
  /** 1 for the newest rows. */
  page: number;
  /** Rows a page. */
  size: number;
  /** Rows that the first page holds beyond its size, where it opens with some of its own; none if absent. */
  extra?: number;
}

/** Where a page stands in its list, or that it could not be read: an error is a state with a face. */
export interface PageState {
  page: number;
  /** Whether older rows follow. */
  hasNext: boolean;
  failed: boolean;
}

/**
 * Reads a page of a list that is ordered newest first. A failure is logged and kept as its state.
 * @param read reads `count` rows after leaving out the `first` newest ones.
 * @param what the rows are, for the log.
 */
export async function loadPage<Row>(
  read: (first: number, count: number) => Promise<Row[]>,
  { page, size, extra = 0 }: PageRequest,
  what: string,
): Promise<PageState & { rows: Row[] }> {
  try {
    // One more than is shown tells whether there is a next page.
    const first = page === 1 ? 0 : (page - 1) * size + extra;
    const count = page === 1 ? size + extra : size;
    const rows = await read(first, count + 1);
    return { rows: rows.slice(0, count), page, hasNext: rows.length > count, failed: false };
  } catch (error) {
    console.error(`Loading ${what} failed`, error);
    return { rows: [], page, hasNext: false, failed: true };
  }
}
