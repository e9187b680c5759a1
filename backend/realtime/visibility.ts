// Waits until a streamed transaction can be seen by other connections.
// PostgreSQL streams a commit once it is written, a moment before other snapshots include it: a row looked up in
// between is not there yet, and its event would be lost.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Sql } from "../database.ts";

/** Rejects when the transaction stays invisible for too long. */
export type AwaitVisible = (transactionId: number) => Promise<void>;

const MAX_WAIT_MS = 5_000;
const MAX_PAUSE_MS = 50;

const answerSchema = z.tuple([z.object({ visible: z.boolean() })]);

export function createAwaitVisible(sql: Sql): AwaitVisible {
  let lastVisible: number | null = null;

  return async function awaitVisible(transactionId) {
    // Every row of a transaction asks, and the stream sends one transaction after the other.
    if (transactionId === lastVisible) return;
    const deadline = performance.now() + MAX_WAIT_MS;
    for (let pauseMs = 1; !(await isVisible(transactionId)); pauseMs *= 2) {
      if (performance.now() > deadline) {
        throw new Error(`transaction ${transactionId} is written but not visible`);
      }
      await sleep(Math.min(pauseMs, MAX_PAUSE_MS));
    }
    lastVisible = transactionId;
  };

  async function isVisible(transactionId: number): Promise<boolean> {
    // The stream gives 32 of the 64 bits; the rest are those that bring it nearest to the present.
    const rows = await sql`
      with present as (
        select snapshot, pg_snapshot_xmax(snapshot)::text::bigint + (1::bigint << 31) as horizon
        from pg_current_snapshot() as snapshot
      )
      select pg_visible_in_snapshot(
        (horizon - mod(horizon - ${transactionId}::bigint, 1::bigint << 32))::text::xid8, snapshot
      ) as visible
      from present`;
    return answerSchema.parse([...rows])[0].visible;
  }
}
