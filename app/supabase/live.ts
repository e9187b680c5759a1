import type { RealtimeChannel } from "@supabase/supabase-js";
import { useEffect, useEffectEvent } from "react";
import { useRevalidator } from "react-router";
import { refreshSite } from "../config/refresh-site.ts";
import { idle } from "../loading/idle.ts";
import { getVisitorClient } from "./browser-client.ts";
import type { VisitorClient } from "./client-context.ts";
import { watchedTables } from "./watched-tables.ts";

type WatchedTable = keyof typeof watchedTables;
/** Visitors hear of the watched tables. Changes of the others are broadcast to those who may read them. */
export type LiveTable =
  | WatchedTable
  | (
      | "contact_messages"
      | "consent_withdrawals"
      | "section_drafts"
      | "testimonial_requests"
      | "drafts"
      /** Of schedules, preview links, submissions and decisions. */
      | "content_states"
      | "people"
    );

interface Feed {
  listeners: Set<() => void>;
  /** Leaves the channel, and joins again while there are listeners. */
  rejoin(): void;
}

/** The longest pause in milliseconds before another attempt to listen. */
const maxRetryDelay = 30_000;

/** In milliseconds: from the first change to its refetch, so that changes at the same time cause one. */
const firstDelay = 50;
/** In milliseconds, after a refetch: a flood of changes causes a refetch per second. */
const pause = 1000;

const feeds = new Map<LiveTable, Feed>();
/** The states of tables (public.table_states) when they were last compared. */
const states = new Map<LiveTable, unknown>();
/** Tables whose changes were heard since then. */
const heard = new Set<LiveTable>();
const ownChanges = new Set<string>();
/** Resolves when no sign-out is in progress. */
let signedOut: Promise<unknown> = Promise.resolve();

/** Reloads the page's data when one of the tables changes. */
export function useLiveRefresh(...tables: LiveTable[]): void {
  const { revalidate } = useRevalidator();
  const refresh = useEffectEvent(() => revalidate());
  const key = tables.join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` replaces `tables`, a new array in each rendering.
  useEffect(() => {
    const unsubscribes = [
      subscribeToChanges(tables, () => refresh()),
      subscribeToChanges(["public_site_settings"], refreshSite),
    ];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [key]);
}

/**
 * Calls `refetch` when a row of a table changes, after events may have been missed, and when the page becomes visible
 * again. Without a connection, only the latter.
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
  if (feeds.size === 0) document.addEventListener("visibilitychange", rejoinDeafFeeds);
  const feed = feeds.get(table) ?? openFeed(table);
  feeds.set(table, feed);
  const { listeners } = feed;
  listeners.add(onChange);

  return () => {
    listeners.delete(onChange);
    // Delayed, so that the next page (or React's double mount) can keep the connection.
    setTimeout(() => {
      if (listeners.size > 0 || feeds.get(table) !== feed) return;
      feeds.delete(table);
      if (feeds.size === 0) document.removeEventListener("visibilitychange", rejoinDeafFeeds);
      feed.rejoin();
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

/** Leaves all channels before a sign-out, because Realtime keeps the rights of a channel for a while. */
export async function signOutWithoutChannels<T>(
  client: VisitorClient,
  signOut: () => Promise<T>,
): Promise<T> {
  for (const channel of client.getChannels()) channel.unsubscribe();
  const result = signOut();
  signedOut = result.catch(() => {});
  return result;
}

function openFeed(table: LiveTable): Feed {
  const listeners = new Set<() => void>();
  const feed: Feed = { listeners, rejoin() {} };
  void keepListening();
  return feed;

  async function keepListening(): Promise<void> {
    await idle();
    for (let failures = 0; feeds.get(table) === feed; failures++) {
      if (failures > 0) await wait(Math.min(1000 * 2 ** (failures - 1), maxRetryDelay));
      await signedOut;
      try {
        const client = await getVisitorClient();
        // Waits for the session, without which the owner's channel would join as a visitor.
        await client.realtime.setAuth();
        if (!states.has(table)) await compare(client, table).catch(() => {});
        const { promise: isLost, resolve: onLost } = Promise.withResolvers<void>();
        feed.rejoin = onLost;
        if (feeds.get(table) !== feed) return;
        const channel = subscribe(client, table, onLost, () => {
          failures = 0;
          notifyIfChanged(client);
        });
        await isLost;
        if (client.getChannels().includes(channel)) await client.removeChannel(channel);
      } catch (error) {
        console.error("Listening to changes failed", error);
      }
    }
  }

  /** Called when the database sends changes from now on: those before were missed. */
  async function notifyIfChanged(client: VisitorClient): Promise<void> {
    const isSame = await compare(client, table).catch(() => false);
    if (!isSame) notify(table);
  }
}

function subscribe(
  client: VisitorClient,
  table: LiveTable,
  onLost: () => void,
  onListening: () => void,
): RealtimeChannel {
  return listen()
    .on("system", {}, ({ status }) => (status === "ok" ? onListening() : onLost()))
    .subscribe((status) => {
      // "SUBSCRIBED" only says that the channel exists. The system message says that the database sends changes.
      if (status !== "SUBSCRIBED") onLost();
    });

  function listen(): RealtimeChannel {
    if (!isWatched(table)) {
      const config = { private: true, broadcast: { replication_ready: true } };
      return client
        .channel(`realtime ${table}`, { config })
        .on("broadcast", { event: "*" }, ({ payload }) => onChange(payload));
    }
    const key = watchedTables[table];
    return client
      .channel(`realtime ${table}`)
      .on(
        "postgres_changes",
        { event: "*", schema: "public", table, select: [key] },
        ({ new: row, old }) => onChange({ id: keyOf(row, key) ?? keyOf(old, key) }),
      );
  }

  function onChange({ id }: { id?: unknown }): void {
    heard.add(table);
    if (typeof id === "string" && ownChanges.delete(id)) return;
    notify(table);
  }
}

function isWatched(table: LiveTable): table is WatchedTable {
  return table in watchedTables;
}

function keyOf(row: Record<string, unknown>, key: string): unknown {
  return row[key];
}

function notify(table: LiveTable): void {
  for (const listener of feeds.get(table)?.listeners ?? []) listener();
}

/**
 * A joined channel may receive no events. Joins again where a table has changed without an event, or its changes cannot be
 * compared.
 */
async function rejoinDeafFeeds(): Promise<void> {
  if (document.visibilityState !== "visible") return;
  try {
    const client = await getVisitorClient();
    await Promise.all(
      [...feeds].map(async ([table, feed]) => {
        const wasHeard = heard.has(table);
        const isSame = await compare(client, table);
        if (!isSame && !wasHeard) feed.rejoin();
      }),
    );
  } catch (error) {
    // The next look at the page compares again.
    console.error("Comparing the changes failed", error);
  }
}

let reading: Promise<unknown> | undefined;

/**
 * Whether no change is visible since the last comparison; false for tables whose changes are only broadcast.
 * @throws the backend's error
 */
async function compare(client: VisitorClient, table: LiveTable): Promise<boolean> {
  if (!isWatched(table)) return false;
  // Comparisons at the same time share one request, which starts after all of them.
  reading ??= wait(firstDelay).then(() => {
    reading = undefined;
    return client.rpc("table_states").throwOnError();
  });
  // The function returns one text for each watched table.
  const { data } = (await reading) as { data: Record<string, unknown> };
  const former = states.get(table);
  states.set(table, data[table]);
  heard.delete(table);
  return data[table] === former;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
