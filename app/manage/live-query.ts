// What the owner's pages read, by TanStack Query: read again after each change, and after a failure.
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseQueryResult,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { useRevalidator } from "react-router";
import { refreshAccount } from "../auth/auth-provider.tsx";
import { getBrowserClient, mayHaveSession } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import {
  type LiveTable,
  subscribeToChanges,
  withOwnChange as withoutOwnEvent,
} from "../supabase/live.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { tables: readonly LiveTable[] | undefined };
  }
}

export interface LiveQuery<Value> {
  /** Identifies the value. The first word names it in the log. */
  key: QueryKey;
  read: (client: Client) => Promise<Value>;
  /** Each change of them reads the value again, as does a return to the page. Without it, the value is read once. */
  tables?: readonly LiveTable[];
}

export interface LiveValue<Value> {
  /** Undefined until it is read. A failed refetch keeps the last value. */
  value: Value | undefined;
  /** Whether `value` belongs to the key before, because that of the current key is not read yet. */
  isPrevious: boolean;
  /** When the value was read, in milliseconds since 1970. */
  readAt: number;
  /** The number of failed attempts; 0 once there is a value, and when the session has ended, which closes the page. */
  failures: number;
  retry(): void;
}

/** The first word of the keys of the counts of what waits, which the header of every page shows. */
export const waitingKey = "what waits";

const queries = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      // The account may have lost its role: its page ends.
      if ("code" in error && error.code === "42501") refreshAccount();
      if (mayHaveSession()) console.error(`Loading ${queryKey[0]} failed`, error);
    },
  }),
  defaultOptions: {
    queries: {
      // A page that is opened again shows nothing of before: another account may have signed in meanwhile.
      gcTime: 0,
      // A failure is shown at once, and read again until it succeeds.
      retry: false,
      refetchInterval: ({ state }) => state.status === "error" && 10_000,
      networkMode: "always",
      // The subscription below also follows a return to the page.
      refetchOnWindowFocus: false,
    },
  },
});

/** End the subscriptions of the values that are shown, by the hash of their query. */
const unsubscribes = new Map<string, () => void>();

// One subscription for each value, however many components show it.
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type !== "observerAdded" && type !== "observerRemoved") return;
  const { queryHash, queryKey, meta } = query;
  const unsubscribe = unsubscribes.get(queryHash);
  if (query.getObserversCount() === 0) {
    unsubscribe?.();
    unsubscribes.delete(queryHash);
  }
  if (query.getObserversCount() === 0 || unsubscribe || !meta?.tables) return;
  async function refetch() {
    // A first read that is under way may have begun before the change, and is not cancelled.
    if (query.state.data === undefined) await query.promise?.catch(() => {});
    await queries.invalidateQueries({ queryKey, exact: true });
  }
  unsubscribes.set(queryHash, subscribeToChanges(meta.tables, refetch));
});

export function useLiveQuery<Value>(query: LiveQuery<Value>): LiveValue<Value> {
  return toLiveValue(useQuery({ ...optionsOf(query), placeholderData: keepPreviousData }, queries));
}

export function useLiveQueries<Value>(list: readonly LiveQuery<Value>[]): LiveValue<Value>[] {
  return useQueries({ queries: list.map(optionsOf) }, queries).map(toLiveValue);
}

function optionsOf<Value>({ key, read, tables }: LiveQuery<Value>) {
  return {
    queryKey: key,
    queryFn: async () => read(await getBrowserClient()),
    meta: { tables },
  };
}

function toLiveValue<Value>(result: UseQueryResult<Value>): LiveValue<Value> {
  const { data, isPlaceholderData, dataUpdatedAt, errorUpdateCount, refetch } = result;
  // While it is read again after a failure, the failure stays, not the value before.
  const value = isPlaceholderData && errorUpdateCount > 0 ? undefined : data;
  return {
    value,
    isPrevious: value !== undefined && isPlaceholderData,
    readAt: dataUpdatedAt,
    failures: value === undefined && mayHaveSession() ? errorUpdateCount : 0,
    retry: () => void refetch(),
  };
}

/** Shows a value that a change has returned. A read that is under way is dropped. */
export function replaceValue<Value>(key: QueryKey, value: Value): void {
  void queries.cancelQueries({ queryKey: key, exact: true });
  queries.setQueryData(key, value);
}

/** @returns a function that reads what the page shows again, after a change */
export function useReload(): () => Promise<void> {
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    await Promise.all([
      // The settings of the site if they are outdated, and the data of a visitors' page.
      revalidate(),
      queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== waitingKey }),
    ]);
  }, [revalidate]);
}

/** Changes a row without following the event of the change: the page reloads its data itself. Counts again what waits. */
export async function withOwnChange<T>(id: string, change: () => Promise<T>): Promise<T> {
  try {
    return await withoutOwnEvent(id, change);
  } finally {
    void queries.invalidateQueries({ queryKey: [waitingKey] });
  }
}
