import { useEffect, useState } from "react";
import type { Result } from "../../loading/loaded.tsx";
import type { Message, MessageList } from "./messages.ts";

interface Shown {
  key: string;
  result: Result<MessageList>;
  /** The messages that this page has changed since; null for one that left the list by deletion or restoration. */
  changes: ReadonlyMap<string, Message | null>;
}

/**
 * The messages to show for a search. After a failed refetch, the last ones of the same search stay. A message that was
 * changed here stays too, even when it no longer belongs to the filter: reading it under 'Unread' must not remove it.
 */
export function useMessageList(key: string, loading: Promise<Result<MessageList>>) {
  const [shown, setShown] = useState<Shown>();

  useEffect(() => {
    let isCurrent = true;
    loading.then((result) => {
      if (isCurrent) setShown((last) => withResult(last, key, result));
    });
    return () => {
      isCurrent = false;
    };
  }, [key, loading]);

  const list = shown && "value" in shown.result ? shown.result.value : null;
  const isPending = shown?.key !== key;
  return {
    list: list && shown ? { ...list, rows: withChanges(list.rows, shown.changes) } : null,
    failed: !isPending && shown && "failed" in shown.result ? shown.result : null,
    /** Whether the list still shows the previous search, because this one has no response yet. */
    isPending,
    /** Shows a change until the list is loaded again, unless the list was left meanwhile. */
    applyChange(id: string, row: Message | null) {
      setShown((last) =>
        last && has(last, id) ? { ...last, changes: new Map(last.changes).set(id, row) } : last,
      );
    },
  };
}

function has({ result, changes }: Shown, id: string): boolean {
  return changes.has(id) || ("value" in result && result.value.rows.some((row) => row.id === id));
}

function withResult(last: Shown | undefined, key: string, result: Result<MessageList>): Shown {
  // Opening the same search later shows only matching messages.
  if (last?.key !== key) return { key, result, changes: new Map() };
  if ("failed" in result) return "value" in last.result ? last : { ...last, result };
  // A list that was loaded after a change has a newer version of the message.
  const loaded = new Set(result.value.rows.map(({ id }) => id));
  const changes = [...last.changes].filter(([id, row]) => row && !loaded.has(id));
  return { key, result, changes: new Map(changes) };
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
