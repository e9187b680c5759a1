import type { Sql, Transaction } from "embedded-supabase/database.ts";
import { expect } from "vitest";

/** Starts the second while the transaction of the first is open, which is committed once the second waits for it. */
export async function interleave<Result>(
  sql: Sql,
  first: (transaction: Transaction) => PromiseLike<unknown>,
  second: () => Promise<Result>,
): Promise<Result> {
  let result: Promise<Result> | undefined;
  await sql.begin(async (transaction) => {
    await first(transaction);
    result = second();
    const waiting = async () => (await sql`select from pg_locks where not granted`).length;
    await expect.poll(waiting).toBeGreaterThan(0);
  });
  // The transaction has set it.
  return result as Promise<Result>;
}
