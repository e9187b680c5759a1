// Puts the numbers of limits.ts where the database counts by them.
import type { Sql } from "../database.ts";
import { rateLimits } from "./limits.ts";

/**
 * Replaces the limits that the database holds: reviews alone, since messages are counted before their
 * function is called.
 * @param on false: no limits.
 */
export async function storeLimits(sql: Sql, on: boolean): Promise<void> {
  const rows = rateLimits.review.map(({ per, count, seconds }) => ({
    action: "review",
    scope: per,
    max_count: count,
    period: `${seconds} seconds`,
  }));
  await sql.begin(async (transaction) => {
    await transaction`delete from private.request_limits`;
    if (on) await transaction`insert into private.request_limits ${transaction(rows)}`;
  });
}
