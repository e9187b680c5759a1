import { Link } from "react-router";
import { buttonClass } from "./button.ts";
import { pagePath } from "./page-number.ts";

interface PagerProps {
  /** What the list holds, in the plural: "articles". */
  items: string;
  /** Address of the list's first page. */
  path: string;
  page: number;
  hasNext: boolean;
}

/** The links between the pages of a list, newest first. Nothing for a list of one page. */
export function Pager({ items, path, page, hasNext }: PagerProps) {
  if (page === 1 && !hasNext) return null;
  return (
    <nav aria-label={`Pages of ${items}`} className="mt-12 flex items-center justify-between gap-4">
      {page > 1 ? (
        <Link to={pagePath(path, page - 1)} rel="prev" className={buttonClass("secondary")}>
          Newer {items}
        </Link>
      ) : (
        <span />
      )}
      <p className="text-sm text-muted">Page {page}</p>
      {hasNext ? (
        <Link to={pagePath(path, page + 1)} rel="next" className={buttonClass("secondary")}>
          Older {items}
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}

/** In place of a page that a list doesn't have, or no longer has. */
export function NoSuchPage({ items, path }: Pick<PagerProps, "items" | "path">) {
  return (
    <div className="mt-12 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <p className="text-lg text-muted">There are no {items} on this page.</p>
      <p className="mt-6">
        <Link to={path} className={buttonClass("secondary")}>
          Newest {items}
        </Link>
      </p>
    </div>
  );
}
