/** The page of a list that an address asks for with `?page=`; 1 for anything that is no page. */
export function pageOf(search: string): number {
  const page = Number(new URLSearchParams(search).get("page") ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1;
}

/** The one address of a page of a list. */
export function pagePath(path: string, page: number): string {
  return page === 1 ? path : `${path}?page=${page}`;
}
