export interface PageRequest {
  /** 1 for the newest rows. */
  page: number;
  /** Rows a page. */
  size: number;
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
  { page, size }: PageRequest,
  what: string,
): Promise<PageState & { rows: Row[] }> {
  try {
    // One more than is shown tells whether there is a next page.
    const rows = await read((page - 1) * size, size + 1);
    return { rows: rows.slice(0, size), page, hasNext: rows.length > size, failed: false };
  } catch (error) {
    console.error(`Loading ${what} failed`, error);
    return { rows: [], page, hasNext: false, failed: true };
  }
}
