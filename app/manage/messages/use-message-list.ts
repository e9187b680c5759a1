import { useEffect, useState } from "react";
import type { Failed, Result } from "../../loading/loaded.tsx";
import type { Message, MessageList } from "./messages.ts";

interface Settled {
  /** Identifies the search. */
  key: string;
  result: Result<MessageList>;
}

/** A message that this page changed. */
interface Change {
  id: string;
  /** Null when the message left the list: deleted or restored. */
  row: Message | null;
  /** The list that was shown at the time of the change. */
  list: MessageList;
}

export interface ShownMessages {
  list: MessageList | null;
  failed: Failed | null;
  /** Whether the list still shows the previous search, because this one has no response yet. */
  isPending: boolean;
  /** Shows a change until the list is loaded again. */
  applyChange(id: string, row: Message | null): void;
}

/**
 * The messages to show for a search. After a failed refetch, the last ones of the same search stay. A message that was
 * changed here stays too, even when it no longer belongs to the filter: reading it under 'Unread' must not remove it.
 */
export function useMessageList(key: string, loading: Promise<Result<MessageList>>): ShownMessages {
  const [settled, setSettled] = useState<Settled>();
  const [changes, setChanges] = useState<{ key: string; all: readonly Change[] }>();

  useEffect(() => {
    let isCurrent = true;
    loading.then((result) => {
      if (!isCurrent) return;
      setSettled((last) => {
        const keepsLast = "failed" in result && last?.key === key && "value" in last.result;
        return keepsLast ? last : { key, result };
      });
      // Opening the same search later shows only what belongs to it.
      setChanges((last) => (last?.key === key ? last : undefined));
    });
    return () => {
      isCurrent = false;
    };
  }, [key, loading]);

  const list = settled && "value" in settled.result ? settled.result.value : null;
  const isPending = settled?.key !== key;
  const current = changes?.key === settled?.key ? (changes?.all ?? []) : [];
  return {
    list: list && { ...list, rows: withChanges(list, current) },
    failed: !isPending && settled && "failed" in settled.result ? settled.result : null,
    isPending,
    applyChange(id, row) {
      if (!list || !settled) return;
      const others = current.filter((change) => change.id !== id);
      setChanges({ key: settled.key, all: [...others, { id, row, list }] });
    },
  };
}

/** Newest first. A list that was loaded after a change has a newer version of the message. */
function withChanges(list: MessageList, changes: readonly Change[]): Message[] {
  const rows = new Map(list.rows.map((row) => [row.id, row]));
  for (const change of changes) {
    if (change.list !== list && rows.has(change.id)) continue;
    if (change.row) rows.set(change.id, change.row);
    else rows.delete(change.id);
  }
  return [...rows.values()].sort(
    (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || a.id.localeCompare(b.id),
  );
}
