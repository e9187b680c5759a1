import { getBrowserClient } from "../../supabase/browser-client.ts";
import { subscribeToChanges } from "../../supabase/live.ts";
import { countUnreadMessages } from "./messages.ts";

// One count for the footer and the inbox: fetched once a change, however many show it.
let count: number | null = null;
let newestRequest = 0;
let due: ReturnType<typeof setTimeout> | undefined;
let unsubscribe: (() => void) | undefined;
const listeners = new Set<() => void>();

/** Null until it is known; the last one known when it can't be read. */
export function unreadCount(): number | null {
  return count;
}

/** Keeps the count fresh while someone listens. */
export function subscribeToUnreadCount(listener: () => void): () => void {
  listeners.add(listener);
  if (!unsubscribe) {
    unsubscribe = subscribeToChanges("contact_messages", refreshSoon);
    refreshUnreadCount();
  }
  return () => {
    listeners.delete(listener);
    // A page that follows at once keeps it.
    setTimeout(() => {
      if (listeners.size > 0) return;
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(due);
      // Whoever signs in next has a count of their own.
      newestRequest++;
      count = null;
    });
  };
}

/** Changes in quick succession are one count. */
function refreshSoon(): void {
  clearTimeout(due);
  due = setTimeout(refreshUnreadCount, 50);
}

/** Counts again: to be called after this tab's own changes, whose events it does not hear. */
export async function refreshUnreadCount(): Promise<void> {
  const request = ++newestRequest;
  try {
    const counted = await countUnreadMessages(await getBrowserClient());
    // A late answer never overwrites a newer one.
    if (request !== newestRequest) return;
    count = counted;
    for (const listener of listeners) listener();
  } catch (error) {
    console.error("Counting unread messages failed", error);
  }
}
