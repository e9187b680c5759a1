import { setImmediate } from "node:timers/promises";
import type { Sql } from "embedded-supabase/database.ts";
import { expect, test } from "vitest";
import { interleave } from "./interleave.ts";

/** A database in which somebody always waits for a lock. Its commit takes longer than the second statement. */
const query = async () => [{}];
const begin = async (work: (transaction: typeof query) => Promise<void>) => {
  await work(query);
  await setImmediate();
};
const sql = Object.assign(query, { begin }) as unknown as Sql;

test("the caller gets the rejection of the second, also before the first is committed", async () => {
  const failed = new Error("a duplicate key");
  // Vitest fails a run with an unhandled rejection.
  await expect(interleave(sql, query, () => Promise.reject(failed))).rejects.toBe(failed);
});

test("the caller gets the rejection of the first", async () => {
  const failed = new Error("a broken rule");
  const first = () => Promise.reject(failed);
  await expect(interleave(sql, first, query)).rejects.toBe(failed);
});
