import { useRef } from "react";
import { useRevalidator } from "react-router";
import type { ListPage } from "../../loading/load-page.ts";
import { NoSuchPage, Pager } from "../../ui/pager.tsx";
import { MessageItem } from "./message-item.tsx";
import type { Message } from "./messages.ts";
import { refreshUnreadCount, useUnreadCount } from "./messages-link.tsx";

/** Visitors' messages, newest first. Loaded only for a signed-in user. */
export default function Inbox({ list }: { list: ListPage<Message> }) {
  const unread = useUnreadCount();
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);

  const isEmpty = list.rows.length === 0 && list.page === 1;

  function refresh() {
    revalidate();
    refreshUnreadCount();
  }

  return (
    <div className="wrap section min-h-[60vh]">
      <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
        Messages
      </h1>
      {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
      <p role="status" className="mt-4 text-lg text-muted empty:mt-0">
        {unread === null || isEmpty ? "" : unreadText(unread)}
      </p>
      {isEmpty ? (
        <Empty />
      ) : list.rows.length === 0 ? (
        <NoSuchPage items="messages" path="/messages" />
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
                onChanged={refresh}
                onDeleted={(neighbor) => {
                  // The focused button is removed with its message.
                  (neighbor ?? heading.current)?.focus();
                  refresh();
                }}
              />
            ))}
          </ul>
          <Pager items="messages" path="/messages" page={list.page} hasNext={list.hasNext} />
        </>
      )}
    </div>
  );
}

function Empty() {
  return (
    <div className="mt-8 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <h2 className="text-2xl">No messages yet</h2>
      <p className="mt-2 text-muted">
        What visitors send through the contact form appears here at once.
      </p>
    </div>
  );
}

function unreadText(count: number): string {
  if (count === 0) return "You have read everything.";
  return count === 1 ? "1 unread message" : `${count} unread messages`;
}
