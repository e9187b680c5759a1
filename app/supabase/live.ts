import type { RealtimeChannel } from "@supabase/supabase-js";
import { getBrowserClient } from "./browser-client.ts";

export type LiveTable = "posts" | "testimonials" | "contact_messages";

interface Feed {
  listeners: Set<() => void>;
  channel: Promise<RealtimeChannel | null>;
}

/** Milliseconds until the next try, when the code of the connection could not be loaded. */
const retryAfter = 30_000;

const feeds = new Map<LiveTable, Feed>();
const ownChanges = new Set<string>();

/**
 * Calls `onChange` when a row of the table changes, after the connection was (re)established, and
 * when the page becomes visible again: a tab in the background misses events. Without a connection
 * it stays silent and the page works on.
 */
export function subscribeToChanges(table: LiveTable, onChange: () => void): () => void {
  let feed = feeds.get(table);
  if (!feed) {
    const listeners = new Set<() => void>();
    const isWanted = () => feeds.get(table)?.listeners === listeners;
    feed = { listeners, channel: openOrRetry(table, isWanted) };
    feeds.set(table, feed);
  }
  const { listeners, channel } = feed;
  listeners.add(onChange);

  const onVisible = () => {
    if (document.visibilityState === "visible") onChange();
  };
  document.addEventListener("visibilitychange", onVisible);

  return () => {
    document.removeEventListener("visibilitychange", onVisible);
    listeners.delete(onChange);
    // A page that follows at once (or React's double mount) keeps the connection.
    setTimeout(async () => {
      if (listeners.size > 0 || feeds.get(table)?.listeners !== listeners) return;
      feeds.delete(table);
      const open = await channel;
      if (open) (await getBrowserClient()).removeChannel(open);
    }, 1000);
  };
}

/**
 * Marks a row that this tab is about to change and will refetch by itself, so that the event of
 * that change does not fetch it once more.
 * @returns a function that withdraws the mark after a failure.
 */
export function announceOwnChange(id: string): () => void {
  ownChanges.add(id);
  const withdraw = () => ownChanges.delete(id);
  // Without a connection no event comes; the mark must not swallow a later change by someone else.
  setTimeout(withdraw, 5000);
  return withdraw;
}

/** Makes a change as `announceOwnChange` wants it: the mark goes when the change fails. */
export async function withOwnChange<T>(id: string, change: () => Promise<T>): Promise<T> {
  const withdraw = announceOwnChange(id);
  try {
    return await change();
  } catch (error) {
    withdraw();
    throw error;
  }
}

/** Opens the channel as soon as its code can be loaded. @returns null when it is no longer wanted. */
async function openOrRetry(
  table: LiveTable,
  isWanted: () => boolean,
): Promise<RealtimeChannel | null> {
  for (;;) {
    try {
      return await openWhenIdle(table);
    } catch (error) {
      console.error("Listening to changes failed", error);
      await new Promise((resolve) => setTimeout(resolve, retryAfter));
      if (!isWanted()) return null;
    }
  }
}

async function openWhenIdle(table: LiveTable): Promise<RealtimeChannel> {
  await idle();
  const client = await getBrowserClient();
  let connectedBefore = false;
  // Else the channel of an owner whose session is still being read would join as a visitor's.
  await client.realtime.setAuth();
  return client
    .channel(`realtime ${table}`)
    .on("postgres_changes", { event: "*", schema: "public", table }, (change) => {
      const id = idOf(change.new) ?? idOf(change.old);
      if (id && ownChanges.delete(id)) return;
      notify();
    })
    .subscribe((status) => {
      if (status !== "SUBSCRIBED") return;
      // What changed while there was no connection was missed.
      if (connectedBefore) notify();
      connectedBefore = true;
    });

  function notify(): void {
    for (const listener of feeds.get(table)?.listeners ?? []) listener();
  }
}

function idOf(row: Record<string, unknown>): string | null {
  return typeof row.id === "string" ? row.id : null;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 4000 });
    else setTimeout(resolve, 1000);
  });
}
