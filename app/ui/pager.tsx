import { Link } from "react-router";
import { buttonClass } from "./button-class.ts";

interface PagerProps {
  /** What the list contains, in the plural: "articles". */
  items: string;
  /** URL of the list's first page, which may have a query. */
  path: string;
  page: number;
  hasNext: boolean;
}

/** Links to the previous and the next page of a list, newest first. Hidden for a list of one page. */
export function Pager({ items, path, page, hasNext }: PagerProps) {
  if (page === 1 && !hasNext) return null;
  return (
    <nav aria-label={`Pages of ${items}`} className="mt-12 flex items-center justify-between gap-4">
      {page > 1 ? (
        <Link to={pagePath(path, page - 1)} rel="prev" className={buttonClass("secondary")}>
          {`Newer ${items}`}
        </Link>
      ) : (
        <span />
      )}
      <p className="text-sm text-muted">{`Page ${page}`}</p>
      {hasNext ? (
        <Link to={pagePath(path, page + 1)} rel="next" className={buttonClass("secondary")}>
          {`Older ${items}`}
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}

/** The page of a list that a URL's query requests with `?page=`; 1 for anything invalid. */
export function pageOf(search: string): number {
  const page = Number(new URLSearchParams(search).get("page") ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1;
}

/** The URL of a page of a list: the first has no query, so that each page has one URL. */
export function pagePath(path: string, page: number): string {
  return page === 1 ? path : `${path}${path.includes("?") ? "&" : "?"}page=${page}`;
}
