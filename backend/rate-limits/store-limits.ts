// Puts the numbers of limits.ts where the database counts by them.
import type { Sql } from "../database.ts";
import { type Limit, rateLimits } from "./limits.ts";

const countedInDatabase = ["review", "contact"] as const;

/** Replaces the limits that the database holds. @param on false: no limits. */
export async function storeLimits(sql: Sql, on: boolean): Promise<void> {
  const rows = countedInDatabase.flatMap((action) => {
    const limits: readonly Limit[] = rateLimits[action];
    return limits.map(({ per, count, seconds }) => ({
      action,
      scope: per,
      max_count: count,
      period: `${seconds} seconds`,
    }));
  });
  await sql.begin(async (transaction) => {
    await transaction`delete from private.request_limits where action = any(${[...countedInDatabase]})`;
    if (on) await transaction`insert into private.request_limits ${transaction(rows)}`;
  });
}
