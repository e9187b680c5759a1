import { useRef, useSyncExternalStore } from "react";
import { useRevalidator } from "react-router";
import { ListError } from "../paging/list-error.tsx";
import { PageLinks } from "../paging/page-links.tsx";
import { useLastReadable } from "../paging/use-last-readable.ts";
import { useLiveRefresh } from "../supabase/use-live-refresh.ts";
import type { MessageList } from "./load-messages.ts";
import { MessageItem } from "./message-item.tsx";
import { refreshUnreadCount, subscribeToUnreadCount, unreadCount } from "./unread-count.ts";

/** What visitors sent, newest first. Loaded for a signed-in user alone. */
export default function Inbox({ list: newest }: { list: MessageList }) {
  useLiveRefresh("contact_messages");
  const list = useLastReadable(newest);
  const unread = useSyncExternalStore(subscribeToUnreadCount, unreadCount);
  const { revalidate } = useRevalidator();
  const items = useRef<HTMLUListElement>(null);

  function refresh() {
    revalidate();
    refreshUnreadCount();
  }

  return (
    <div className="wrap section min-h-[60vh]">
      <div className="mx-auto max-w-4xl">
        <h1 className="text-3xl">Messages</h1>
        {/* Kept in the page while it is empty: a reader announces what comes into it. */}
        <p role="status" className="mt-4 min-h-[1.55em] text-lg text-muted">
          {unread === null || list.failed ? "" : unreadText(unread)}
        </p>
        {list.failed ? (
          <ListError
            list={list}
            text="The messages can't be shown right now. None of them is lost."
          />
        ) : list.messages.length === 0 ? (
          <Empty isFirst={list.page === 1} />
        ) : (
          <ul
            ref={items}
            tabIndex={-1}
            aria-label="Messages, newest first"
            className="mt-8 divide-y divide-line overflow-clip rounded-lg border border-line bg-surface shadow-card outline-none"
          >
            {list.messages.map((message) => (
              <MessageItem
                key={message.id}
                message={message}
                onChanged={refresh}
                onDeleted={() => {
                  // The button that had the focus goes away with its message.
                  items.current?.focus();
                  refresh();
                }}
              />
            ))}
          </ul>
        )}
        {!list.failed && (
          <PageLinks page={list.page} hasNext={list.hasNext} path="/messages" what="messages" />
        )}
      </div>
    </div>
  );
}

function Empty({ isFirst }: { isFirst: boolean }) {
  return (
    <div className="mt-8 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <h2 className="text-2xl">{isFirst ? "No messages yet" : "Nothing on this page"}</h2>
      <p className="mt-2 text-muted">
        {isFirst
          ? "What visitors send through the contact form appears here at once."
          : "The messages that were here moved to a newer page or were deleted."}
      </p>
    </div>
  );
}

function unreadText(count: number): string {
  if (count === 0) return "You have read everything.";
  return count === 1 ? "1 unread message" : `${count} unread messages`;
}
