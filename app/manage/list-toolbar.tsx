// Parts that all lists share: search, filters, pages, and the text of an empty list. The URL has the query.
import { Search } from "lucide";
import { type ReactNode, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { keysOf } from "../../supabase/functions/_shared/object-keys.ts";
import type { ListPage } from "../loading/load-page.ts";
import { cleanQuery, maxQueryLength } from "../loading/search-query.ts";
import { Icon } from "../ui/icon.ts";
import { Pager } from "../ui/pager.tsx";
import { Button, ButtonLink } from "./button.tsx";
import { useReload } from "./live-query.ts";

/** Keeps scroll position and focus (page-change.tsx). */
export const staysInPlace = { staysInPlace: true };

interface SearchFormProps {
  label: string;
  hint: string;
  query: string;
  pathOf: (query: string) => string;
}

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
    <search>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="min-w-36 flex-1">
          <label htmlFor={id} className="text-sm font-semibold">
            {label}
          </label>
          <input
            id={id}
            type="search"
            name="q"
            value={text}
            maxLength={maxQueryLength}
            autoComplete="off"
            enterKeyHint="search"
            aria-describedby={`${id}-hint`}
            onChange={(event) => setText(event.target.value)}
            className="mt-1.5 block min-h-10 w-full rounded-md border border-edge bg-surface px-4 py-1.5 text-base text-ink"
          />
        </div>
        <Button type="submit">
          <Icon drawing={Search} className="size-4" />
          Search
        </Button>
        {query && (
          <ButtonLink to={pathOf("")} of="the search">
            Clear
          </ButtonLink>
        )}
        <p id={`${id}-hint`} className="-mt-1 w-full text-sm text-muted">
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
  /** How many rows the query finds in each filter; null until counted. */
  counts: Record<Filter, number> | null;
  pathOf: (filter: Filter) => string;
}

export function FilterLinks<Filter extends string>(props: FilterLinksProps<Filter>) {
  const { label, filters, offers = () => true, current, counts, pathOf } = props;
  return (
    <nav aria-label={label} className="mt-5">
      <ul className="flex flex-wrap gap-2">
        {keysOf(filters)
          .filter(offers)
          .map((each) => (
            <li key={each}>
              <Link
                to={pathOf(each)}
                state={staysInPlace}
                aria-current={each === current ? "page" : undefined}
                className="inline-flex min-h-9 items-center gap-2 rounded-full border border-edge bg-surface px-3.5 text-sm font-medium text-ink transition-colors hover:border-evergreen aria-[current=page]:border-evergreen aria-[current=page]:bg-evergreen aria-[current=page]:text-paper"
              >
                <span>{filters[each]}</span>
                {counts && <span className="tabular-nums opacity-90">{counts[each]}</span>}
              </Link>
            </li>
          ))}
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
    <div className="mt-6 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <h2 className="text-2xl wrap-anywhere">{title}</h2>
      {text && <p className="mt-2 text-muted wrap-anywhere">{text}</p>}
      {children && <p className="mt-6 flex flex-wrap justify-center gap-3">{children}</p>}
    </div>
  );
}
