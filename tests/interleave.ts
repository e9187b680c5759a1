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
    // It may reject before the commit, after which the caller gets it.
    result.catch(() => {});
    // Other databases of the server have locks as well.
    const waiting = () => sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  });
  // The transaction has set it.
  return result as Promise<Result>;
}
