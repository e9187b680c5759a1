import type { Client } from "../supabase/client-context.ts";
import type { Database } from "../supabase/database.ts";

type Tables = Database["public"]["Tables"];

/** Options of `select` that return only the number of rows, which works for any number of them. */
export const numberOnly = { count: "exact", head: true } as const;

/** The rows of a table, to be filtered and counted. */
export function rowsOf<Table extends keyof Tables>(client: Client, table: Table, key = "id") {
  return client.from(table).select(key, numberOnly);
}

type Counted = { count: number | null; error: Error | null };

export async function countRows(query: PromiseLike<Counted>): Promise<number> {
  const { count, error } = await query;
  if (error) throw error;
  return count ?? 0;
}
