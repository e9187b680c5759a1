import { useEffect, useRef } from "react";
import { Link, useRevalidator } from "react-router";
import type { Result } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { ReadFailure, TakingLonger } from "../../ui/load-state.tsx";
import { NoSuchPage, Pager, pagePath } from "../../ui/pager.tsx";
import { showToast } from "../../ui/toast.ts";
import { FilterLinks, SearchForm } from "../list-toolbar.tsx";
import { ExportButton } from "./export-button.tsx";
import { MessageItem } from "./message-item.tsx";
import {
  emptyTexts,
  filterLabels,
  type MessageSearch,
  messageFilters,
  searchPath,
} from "./message-search.ts";
import { type Message, type MessageList, markMessage } from "./messages.ts";
import { MessagesSkeleton } from "./messages-frame.tsx";
import { refreshUnreadCount, useUnreadCount } from "./messages-link.tsx";
import { hasNoteDrafts } from "./note-draft.ts";
import { useMessageList } from "./use-message-list.ts";

interface InboxProps {
  search: MessageSearch;
  list: Promise<Result<MessageList>>;
}

/** Visitors' messages, newest first. Loaded only for a signed-in user. */
export default function Inbox({ search, list: loading }: InboxProps) {
  const { filter, query, page } = search;
  const path = searchPath(search);
  const { list, failed, isPending, applyChange } = useMessageList(pagePath(path, page), loading);
  const unread = useUnreadCount();
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  useUnsavedNotesWarning();

  function refresh() {
    revalidate();
    refreshUnreadCount();
  }

  function change(message: Message) {
    applyChange(message.id, message);
    refresh();
  }

  /** @param neighbor receives the focus: the focused button is removed with its message */
  function remove(message: Message, neighbor: HTMLElement | null) {
    (neighbor ?? heading.current)?.focus();
    applyChange(message.id, null);
    refresh();
  }

  async function undoDeletion({ id }: Message) {
    try {
      await markMessage(await getBrowserClient(), id, "deleted_at", false);
      showToast({ tone: "success", title: "Message Restored" });
    } catch (error) {
      console.error("Restoring the message failed", error);
      showToast({
        tone: "error",
        title: "Restore Failed",
        description: "Could not restore the message. It is under 'Deleted'.",
      });
    }
    refresh();
  }

  return (
    <div className="wrap section min-h-[60vh]">
      <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
        Messages
      </h1>
      {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
      <p role="status" className="mt-4 text-lg text-muted empty:mt-0">
        {isPending ? pendingText(search) : list ? statusText(search, list, unread) : ""}
      </p>
      <div className="mt-6">
        <SearchForm
          label="Search messages"
          hint="In names, e-mails, phone numbers, messages and notes."
          query={query}
          pathOf={(wanted) => searchPath({ filter, query: wanted })}
        />
        <FilterLinks
          label="Filters of messages"
          filters={messageFilters}
          labels={filterLabels}
          current={filter}
          counts={list?.counts ?? null}
          pathOf={(wanted) => searchPath({ filter: wanted, query })}
        />
      </div>
      {failed ? (
        <ReadFailure
          failed={failed}
          text="The messages can't be shown right now. None of them is lost."
        />
      ) : list ? (
        <div
          aria-busy={isPending}
          className={`transition-opacity ${isPending ? "opacity-50" : ""}`}
        >
          {list.rows.length === 0 && list.page === 1 ? (
            <Empty search={search} counts={list.counts} />
          ) : list.rows.length === 0 ? (
            <NoSuchPage items="messages" path={path} />
          ) : (
            <>
              <ul
                aria-label="Messages, newest first"
                className="mt-8 divide-y divide-line overflow-clip rounded-lg border border-line bg-surface shadow-card"
              >
                {list.rows.map((message) => (
                  <MessageItem
                    key={message.id}
                    message={message}
                    onChanged={change}
                    onRemoved={(neighbor) => remove(message, neighbor)}
                    onUndoDeletion={() => undoDeletion(message)}
                  />
                ))}
              </ul>
              <Pager items="messages" path={path} page={list.page} hasNext={list.hasNext} />
              <div className="mt-8">
                <ExportButton search={search} total={list.counts[filter]} />
              </div>
            </>
          )}
        </div>
      ) : (
        <MessagesSkeleton />
      )}
      {isPending && <TakingLonger key={`${filter} ${query} ${page}`} />}
    </div>
  );
}

/** Asks before the tab with notes that are not saved is closed. */
function useUnsavedNotesWarning() {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasNoteDrafts()) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
}

function Empty({ search, counts }: { search: MessageSearch; counts: MessageList["counts"] }) {
  const { filter, query } = search;
  const { title, text } = query
    ? { title: "Nothing found", text: nothingFoundText(search) }
    : emptyTexts[filter];
  return (
    <div className="mt-8 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <h2 className="text-2xl">{title}</h2>
      <p className="mt-2 text-muted [overflow-wrap:anywhere]">{text}</p>
      {query && (
        <p className="mt-6 flex flex-wrap justify-center gap-3">
          {filter !== "all" && counts.all > 0 && (
            <Link
              to={searchPath({ filter: "all", query })}
              className={buttonClass("primary", "small")}
            >
              Show {counts.all} in all messages
            </Link>
          )}
          <Link
            to={searchPath({ filter, query: "" })}
            className={buttonClass("secondary", "small")}
          >
            Clear the search
          </Link>
        </p>
      )}
    </div>
  );
}

function nothingFoundText({ filter, query }: MessageSearch): string {
  const where = filter === "all" ? "No message" : `No message under '${filterLabels[filter]}'`;
  return `${where} contains “${query}”.`;
}

function pendingText({ query }: MessageSearch): string {
  return query ? "Searching..." : "Loading messages...";
}

function statusText(
  { filter, query }: MessageSearch,
  { counts }: MessageList,
  unread: number | null,
): string {
  const total = counts[filter];
  if (query) return total === 1 ? "1 message found" : `${total} messages found`;
  if (filter !== "all") return total === 1 ? "1 message" : `${total} messages`;
  if (unread === null || total === 0) return "";
  if (unread === 0) return "You have read everything.";
  return unread === 1 ? "1 unread message" : `${unread} unread messages`;
}
