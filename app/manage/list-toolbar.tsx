// Parts that all lists share: search, filters, pages, and the text of an empty list. The URL has the query.
import { Search, X } from "lucide";
import { type ReactNode, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { keysOf } from "../../supabase/functions/_shared/object-keys.ts";
import type { ListPage } from "../loading/load-page.ts";
import { cleanQuery, maxQueryLength } from "../loading/search-query.ts";
import { Icon } from "../ui/icon.ts";
import { Pager } from "../ui/pager.tsx";
import { useReload } from "./live-query.ts";
import { useScrolledToMiddle } from "./manage-frame.tsx";

/** Keeps scroll position and focus (page-change.tsx). */
export const staysInPlace = { staysInPlace: true };

/** The frame around the rows of a list. */
export const listClass =
  "divide-y divide-line rounded-lg border border-line bg-surface shadow-card";

interface ToolbarProps {
  filters?: ReactNode;
  /** The search, and what stands at its right. */
  children?: ReactNode;
}

/** The row between the heading of a list and its rows. On phones the filters have a row of their own, which scrolls sideways. */
export function Toolbar({ filters, children }: ToolbarProps) {
  return (
    <div className="mt-5 flex flex-col-reverse gap-x-4 gap-y-3 xl:flex-row xl:items-center">
      <div className="min-w-0 flex-1">{filters}</div>
      <div className="flex items-center gap-2 empty:hidden [&>search]:xl:w-64">{children}</div>
    </div>
  );
}

interface SearchFormProps {
  label: string;
  /** Read by screen readers. */
  hint: string;
  query: string;
  pathOf: (query: string) => string;
}

const fieldButton =
  "flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:text-ink focus-visible:-outline-offset-2";

export function SearchForm({ label, hint, query, pathOf }: SearchFormProps) {
  const navigate = useNavigate();
  const reload = useReload();
  const id = useId();
  const [text, setText] = useState(query);
  const [shownQuery, setShownQuery] = useState(query);
  // Back and Forward also change the query.
  if (shownQuery !== query) {
    setShownQuery(query);
    setText(query);
  }

  function submit() {
    const wanted = cleanQuery(text);
    if (wanted === query) reload();
    else navigate(pathOf(wanted), { state: staysInPlace });
  }

  return (
    <search className="min-w-0 flex-1">
      <form
        className="flex rounded-md border border-edge bg-surface has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-clay"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <button type="submit" className={fieldButton}>
          <Icon drawing={Search} className="size-4" />
          <span className="sr-only">Search</span>
        </button>
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          id={id}
          type="search"
          name="q"
          value={text}
          maxLength={maxQueryLength}
          placeholder={label}
          autoComplete="off"
          enterKeyHint="search"
          aria-describedby={`${id}-hint`}
          onChange={(event) => setText(event.target.value)}
          className="min-h-10 w-full min-w-0 flex-1 bg-transparent pr-2 text-base text-ink outline-none placeholder:text-muted md:text-sm [&::-webkit-search-cancel-button]:hidden"
        />
        {query && (
          <Link to={pathOf("")} state={staysInPlace} className={fieldButton}>
            <Icon drawing={X} className="size-4" />
            <span className="sr-only">Clear the search</span>
          </Link>
        )}
        <p id={`${id}-hint`} className="sr-only">
          {hint}
        </p>
      </form>
    </search>
  );
}

interface FilterLinksProps<Filter extends string> {
  label: string;
  /** With their labels. */
  filters: Readonly<Record<Filter, string>>;
  /** Whether a filter is offered; by default all are. */
  offers?: (filter: Filter) => boolean;
  current: Filter;
  /** How many rows the query finds in each filter; null until counted. A zero is not shown. */
  counts: Record<Filter, number> | null;
  pathOf: (filter: Filter) => string;
  /** A filter of another kind, after the links. */
  children?: ReactNode;
}

export function FilterLinks<Filter extends string>(props: FilterLinksProps<Filter>) {
  const { label, filters, offers = () => true, current, counts, pathOf, children } = props;
  const item = useScrolledToMiddle<HTMLLIElement>(current);
  return (
    <nav aria-label={label} className="max-sm:-mx-4">
      <ul className="relative flex gap-1 overflow-x-auto [scrollbar-width:none] max-lg:py-1 max-sm:px-4 lg:flex-wrap lg:overflow-visible">
        {keysOf(filters)
          .filter(offers)
          .map((each) => (
            <li key={each} ref={each === current ? item : undefined} className="shrink-0">
              <Link
                to={pathOf(each)}
                state={staysInPlace}
                aria-current={each === current ? "page" : undefined}
                className="inline-flex min-h-9 items-center gap-1.5 rounded-full px-3 text-sm font-medium whitespace-nowrap text-muted transition-colors hover:bg-sand hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-sage aria-[current=page]:text-ink"
              >
                <span>{filters[each]}</span>
                {counts !== null && counts[each] > 0 && (
                  <span className="text-muted tabular-nums">
                    {counts[each].toLocaleString("en-US")}
                  </span>
                )}
              </Link>
            </li>
          ))}
        <li className="shrink-0 empty:hidden">{children}</li>
      </ul>
    </nav>
  );
}

interface PagedListProps<Row> {
  /** What the list contains, in the plural: "messages". */
  items: string;
  path: string;
  list: ListPage<Row>;
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

export function PagedList<Row>({ items, path, list, empty, children }: PagedListProps<Row>) {
  const { rows, page, hasNext } = list;
  if (rows.length === 0) return empty;
  return (
    <>
      {children(rows)}
      <Pager items={items} path={path} page={page} hasNext={hasNext} />
    </>
  );
}

interface EmptyListProps {
  title: string;
  text?: string;
  children?: ReactNode;
}

export function EmptyList({ title, text, children }: EmptyListProps) {
  return (
    <div className="mt-4 rounded-lg border border-dashed border-line px-6 py-14 text-center">
      <h2 className="text-lg wrap-anywhere">{title}</h2>
      {text && <p className="mx-auto mt-1 max-w-prose text-muted wrap-anywhere">{text}</p>}
      {children && <p className="mt-5 flex flex-wrap justify-center gap-3">{children}</p>}
    </div>
  );
}
