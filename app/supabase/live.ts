import type { RealtimeChannel } from "@supabase/supabase-js";
import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { refreshSite } from "../config/refresh-site.ts";
import { idle } from "../loading/idle.ts";
import { getBrowserClient } from "./browser-client.ts";

export type LiveTable = "posts" | "testimonials" | "contact_messages" | "public_site_settings";

interface Feed {
  listeners: Set<() => void>;
  channel: Promise<RealtimeChannel | null>;
}

/** The pause in milliseconds before another attempt to load the code of the connection. */
const retryDelay = 30_000;

/** In milliseconds: from the first change to its refetch, so that changes at the same time cause one. */
const firstDelay = 50;
/** In milliseconds, after a refetch: a flood of changes causes a refetch per second. */
const pause = 1000;

const feeds = new Map<LiveTable, Feed>();
const ownChanges = new Set<string>();

/** Reloads the page's data when one of the tables changes. */
export function useLiveRefresh(...tables: LiveTable[]): void {
  const { revalidate } = useRevalidator();
  const refresh = useRef(revalidate);
  refresh.current = revalidate;
  const key = tables.join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` replaces `tables`, a new array in each rendering.
  useEffect(() => {
    const unsubscribes = [
      subscribeToChanges(tables, () => refresh.current()),
      subscribeToChanges(["public_site_settings"], refreshSite),
    ];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [key]);
}

/**
 * Calls `refetch` when a row of a table changes, and after events may have been missed: when the connection is
 * re-established and when the page becomes visible again. Without a connection, only the latter.
 * Changes during a refetch and its pause cause one more, so that the last change is never missed.
 */
export function subscribeToChanges(
  tables: readonly LiveTable[],
  refetch: () => unknown,
): () => void {
  let earlier: Promise<unknown> = Promise.resolve();
  let isWaiting = false;
  let isEnded = false;

  async function refetchSoon() {
    if (isWaiting) return;
    isWaiting = true;
    await Promise.all([earlier, wait(firstDelay)]);
    isWaiting = false;
    // A refetch would cancel an earlier one that is still running.
    if (!isEnded) earlier = Promise.allSettled([refetch(), wait(pause)]);
  }
  function onVisible() {
    if (document.visibilityState === "visible") refetchSoon();
  }

  document.addEventListener("visibilitychange", onVisible);
  const leaves = tables.map((table) => joinFeed(table, refetchSoon));
  return () => {
    isEnded = true;
    document.removeEventListener("visibilitychange", onVisible);
    for (const leave of leaves) leave();
  };
}

function joinFeed(table: LiveTable, onChange: () => void): () => void {
  let feed = feeds.get(table);
  if (!feed) {
    const listeners = new Set<() => void>();
    const isNeeded = () => feeds.get(table)?.listeners === listeners;
    feed = { listeners, channel: openOrRetry(table, isNeeded) };
    feeds.set(table, feed);
  }
  const { listeners, channel } = feed;
  listeners.add(onChange);

  return () => {
    listeners.delete(onChange);
    // Delayed, so that the next page (or React's double mount) can keep the connection.
    setTimeout(async () => {
      if (listeners.size > 0 || feeds.get(table)?.listeners !== listeners) return;
      feeds.delete(table);
      const open = await channel;
      if (open) (await getBrowserClient()).removeChannel(open);
    }, 1000);
  };
}

/** Changes a row and ignores the event of the change, because this tab reloads its data itself. */
export async function withOwnChange<T>(id: string, change: () => Promise<T>): Promise<T> {
  ownChanges.add(id);
  const listenAgain = () => ownChanges.delete(id);
  // Without a connection there is no event, and a later one belongs to another change.
  setTimeout(listenAgain, 5000);
  try {
    return await change();
  } catch (error) {
    listenAgain();
    throw error;
  }
}

/** Retries until the code can be loaded. @returns null when the channel is no longer needed */
async function openOrRetry(
  table: LiveTable,
  isNeeded: () => boolean,
): Promise<RealtimeChannel | null> {
  for (;;) {
    try {
      return await openWhenIdle(table);
    } catch (error) {
      console.error("Listening to changes failed", error);
      await wait(retryDelay);
      if (!isNeeded()) return null;
    }
  }
}

async function openWhenIdle(table: LiveTable): Promise<RealtimeChannel> {
  await idle();
  const client = await getBrowserClient();
  let connectedBefore = false;
  // Waits for the session, without which the owner's channel would join as a visitor.
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
      // Events were missed while there was no connection.
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

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
