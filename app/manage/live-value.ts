import { useEffect, useRef, useState } from "react";
import { getBrowserClient, mayHaveSession } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { type LiveTable, subscribeToChanges } from "../supabase/live.ts";

/** A value that loads on its own. After a failed refresh it keeps the last value. */
export type LiveValue<Value> =
  | { state: "loading" }
  | { state: "failed"; retry(): void }
  | {
      state: "loaded";
      value: Value;
      replace(value: Value): void;
    };

/**
 * Reads a value, again after each change of the tables, and when the page becomes visible again.
 * @param read defined outside the component: another function reads again. Null reads nothing.
 */
export function useLiveValue<Value>(
  read: ((client: Client) => Promise<Value>) | null,
  ...tables: LiveTable[]
): LiveValue<Value> {
  const [loaded, setLoaded] = useState<{ value: Value }>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const newestRequest = useRef(0);
  const key = tables.join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` replaces `tables`, a new array in each rendering.
  useEffect(() => {
    if (!read) return;
    async function refresh(readNow: NonNullable<typeof read>) {
      const request = ++newestRequest.current;
      try {
        const value = await readNow(await getBrowserClient());
        // Drop a response that a newer request has superseded.
        if (request !== newestRequest.current) return;
        setLoaded({ value });
        setFailed(false);
      } catch (error) {
        // The owner's area closes when the session has ended.
        if (request !== newestRequest.current || !mayHaveSession()) return;
        console.error("Reading a value failed", error);
        setFailed(true);
      }
    }

    setFailed(false);
    refresh(read);
    const unsubscribe = subscribeToChanges(tables, () => refresh(read));
    return () => {
      newestRequest.current++;
      unsubscribe();
    };
  }, [read, key, attempt]);

  if (loaded) {
    const replace = (value: Value) => {
      newestRequest.current++;
      setLoaded({ value });
    };
    return { state: "loaded", value: loaded.value, replace };
  }
  if (failed) return { state: "failed", retry: () => setAttempt((count) => count + 1) };
  return { state: "loading" };
}
