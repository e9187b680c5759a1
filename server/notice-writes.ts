/** Requests that only read. */
const reads = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Tells of writes that this very process carries out, before whoever wrote hears that it is done: the
 * event comes some milliseconds later, and until then the writer would be shown the old page.
 * @param fetchBackend the embedded backend
 */
export function noticeWrites(
  fetchBackend: (request: Request) => Promise<Response>,
  tables: readonly string[],
  onChange: (table: string) => void,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await fetchBackend(request);
    if (!reads.has(request.method)) {
      const { pathname } = new URL(request.url);
      const table = tables.find((name) => pathname === `/rest/v1/${name}`);
      if (table && response.ok) onChange(table);
    }
    return response;
  };
}
