import { useState } from "react";
import type { LiveTable } from "../../supabase/live.ts";
import { useLiveQuery } from "../live-query.ts";
import { type MessageSearch, searchPath } from "./message-search.ts";
import { type Message, type MessageList, readMessage, readMessages } from "./messages.ts";

const tables: LiveTable[] = ["contact_messages", "consent_withdrawals"];

interface Shown {
  /** Of the list that is shown, which is that of the search before while a search has no response. */
  key: string;
  readAt: number;
  ids: ReadonlySet<string>;
  /** The messages that this page has changed since; null for one that left the list by deletion or restoration. */
  changes: ReadonlyMap<string, Message | null>;
}

/**
 * The messages to show for a search. A message that was changed here stays, even when it no longer belongs to the filter:
 * reading it under 'Unread' must not remove it.
 */
export function useMessageList(search: MessageSearch) {
  const { value, isPrevious, readAt, failures, retry } = useLiveQuery({
    key: ["messages", search],
    read: (client) => readMessages(client, search),
    tables,
  });
  const [shown, setShown] = useState<Shown>();
  const key = `${searchPath(search)} ${search.page}`;
  if (value && !isPrevious && (shown?.key !== key || shown.readAt !== readAt)) {
    setShown(shownOf(shown, key, readAt, value));
  }
  return {
    list: value && shown ? { ...value, rows: withChanges(value.rows, shown.changes) } : null,
    failures,
    retry,
    /** Whether the list still shows the previous search, because this one has no response yet. */
    isPending: isPrevious || (!value && failures === 0),
    /** Shows a change until the list is loaded again, unless the list was left meanwhile. */
    applyChange(id: string, row: Message | null) {
      setShown((last) =>
        last?.ids.has(id) || last?.changes.has(id)
          ? { ...last, changes: new Map(last.changes).set(id, row) }
          : last,
      );
    },
  };
}

/**
 * The message that the URL opens, which the list may not have: it is on another page, or no longer belongs to the filter.
 * @returns undefined until it is read, null when it is gone
 */
export function useOpenedMessage(
  id: string | null,
  list: { rows: readonly Message[] } | null,
): Message | null | undefined {
  const [last, setLast] = useState<Message>();
  const listed = list?.rows.find((row) => row.id === id);
  const wanted = list && !listed ? id : null;
  const { value, isPrevious } = useLiveQuery({
    key: ["message", wanted],
    read: (client) => (wanted ? readMessage(client, wanted) : Promise.resolve(null)),
    tables,
  });
  const opened = listed ?? (wanted && !isPrevious ? value : undefined);
  if (opened && opened !== last) setLast(opened);
  // While it is read, what is being read stays.
  return opened === undefined && last?.id === id ? last : opened;
}

function shownOf(
  last: Shown | undefined,
  key: string,
  readAt: number,
  { rows }: MessageList,
): Shown {
  const ids = new Set(rows.map(({ id }) => id));
  // Opening the same search later shows only matching messages. A list that was loaded after a change has a newer version.
  const changes = last?.key === key ? [...last.changes] : [];
  const kept = changes.filter(([id, row]) => row && !ids.has(id));
  return { key, readAt, ids, changes: new Map(kept) };
}

function withChanges(rows: readonly Message[], changes: Shown["changes"]): Message[] {
  const all = new Map<string, Message | null>(rows.map((row) => [row.id, row]));
  for (const [id, row] of changes) all.set(id, row);
  return [...all.values()]
    .filter((row) => row !== null)
    .sort(
      (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || a.id.localeCompare(b.id),
    );
}
