import { Search } from "lucide";
import { useState } from "react";
import { Link, useNavigate, useRevalidator } from "react-router";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import {
  cleanQuery,
  filterLabels,
  type MessageSearch,
  maxQueryLength,
  messageFilters,
  searchPath,
} from "./message-search.ts";
import type { MessageList } from "./messages.ts";

/** Keeps scroll position and focus (page-change.tsx). */
const staysInPlace = { staysInPlace: true };

/** The search field. The search is part of the URL. */
export function MessageSearchForm({ search: { filter, query } }: { search: MessageSearch }) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [text, setText] = useState(query);
  const [shownQuery, setShownQuery] = useState(query);
  // Back and Forward change the query as well.
  if (shownQuery !== query) {
    setShownQuery(query);
    setText(query);
  }

  function submit() {
    const wanted = cleanQuery(text);
    if (wanted === query) revalidate();
    else navigate(searchPath({ filter, query: wanted }), { state: staysInPlace });
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
          <label htmlFor="message-search" className="text-sm font-semibold">
            Search messages
          </label>
          <input
            id="message-search"
            type="search"
            name="q"
            value={text}
            maxLength={maxQueryLength}
            autoComplete="off"
            enterKeyHint="search"
            aria-describedby="message-search-hint"
            onChange={(event) => setText(event.target.value)}
            className="mt-1.5 block min-h-10 w-full rounded-md border border-edge bg-surface px-4 py-1.5 text-base text-ink"
          />
        </div>
        <button type="submit" className={buttonClass("secondary", "small")}>
          <Icon drawing={Search} className="size-4" />
          Search
        </button>
        {query && (
          <Link
            to={searchPath({ filter, query: "" })}
            className={buttonClass("secondary", "small")}
          >
            Clear
            <span className="sr-only"> the search</span>
          </Link>
        )}
        <p id="message-search-hint" className="-mt-1 w-full text-sm text-muted">
          In names, e-mails, phone numbers, messages and notes.
        </p>
      </form>
    </search>
  );
}

interface MessageFiltersProps {
  search: MessageSearch;
  /** Null until counted. */
  counts: MessageList["counts"] | null;
}

/** Links to the filters, with the number of messages that the query finds in each. */
export function MessageFilters({ search: { filter, query }, counts }: MessageFiltersProps) {
  return (
    <nav aria-label="Filters of messages" className="mt-5">
      <ul className="flex flex-wrap gap-2">
        {messageFilters.map((each) => (
          <li key={each}>
            <Link
              to={searchPath({ filter: each, query })}
              state={staysInPlace}
              aria-current={each === filter ? "page" : undefined}
              className="inline-flex min-h-9 items-center gap-2 rounded-full border border-edge bg-surface px-3.5 text-sm font-medium text-ink transition-colors hover:border-evergreen aria-[current=page]:border-evergreen aria-[current=page]:bg-evergreen aria-[current=page]:text-paper"
            >
              {filterLabels[each]}
              {counts && <span className="tabular-nums opacity-90">{counts[each]}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
