// Finds changes that Realtime lost: it can drop single ones, or all of them behind a connection that looks sound. A text
// for each table changes with every visible row (public.table_states), and is compared with the changes that were heard.
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";

const statesSchema = z.record(z.string(), z.string());
/** A text for each table. */
export type TableStates = Readonly<z.infer<typeof statesSchema>>;

export async function readTableStates(client: SupabaseClient): Promise<TableStates> {
  const { data } = await client.rpc("table_states").throwOnError();
  return statesSchema.parse(data);
}

interface CompareOptions {
  /** Reads the states. A failure counts as no change. */
  readStates: () => Promise<TableStates>;
  tables: readonly string[];
  /** Called for each table that changed since the last comparison, heard or not. */
  onChange: (table: string) => void;
  /** Called when a change was not heard. */
  onMissed: (table: string) => void;
  intervalMs?: number;
  graceMs?: number;
}

/** How old a page may become when Realtime loses the change. */
const defaultIntervalMs = 15_000;
/** Realtime took 0.3 to 0.7 s to report a change. */
const defaultGraceMs = 5_000;

export function compareStates(options: CompareOptions) {
  const { readStates, tables, onChange, onMissed } = options;
  const { intervalMs = defaultIntervalMs, graceMs = defaultGraceMs } = options;
  /** Tables whose changes were heard since the last comparison. */
  const heard = new Set<string>();
  let known: TableStates | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  wait(0, compare);

  return {
    heard: (table: string) => void heard.add(table),
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };

  async function compare(): Promise<void> {
    const states = await readStates().catch(() => null);
    if (isStopped) return;
    const moved = tables.filter((table) => known && states && states[table] !== known[table]);
    known = states ?? known;
    for (const table of moved) onChange(table);
    const silent = moved.filter((table) => !heard.has(table));
    if (states) heard.clear();
    wait(silent.length > 0 ? graceMs : intervalMs, () => {
      const missed = silent.filter((table) => !heard.has(table));
      for (const table of missed) onMissed(table);
      if (silent.length > 0) wait(intervalMs - graceMs, compare);
      else void compare();
    });
  }

  function wait(delay: number, next: () => void): void {
    if (!isStopped) timer = setTimeout(next, delay).unref();
  }
}
