// Delivers a change to the subscribers it matches, as far as they may read the row.
// Covers: row-level security through a SELECT of the row as each identity. INSERT and UPDATE carry the row as it is when
// it is read, which may be a later version; a row that was deleted meanwhile sends only its DELETE. As on a hosted
// project, DELETE ignores policies and filters and carries only the key. Does not cover: who is subscribed
// (connection.ts).
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Identity, type Sql, withIdentity } from "../database.ts";
import type { Change } from "./changes.ts";
import {
  includesTable,
  mayRead,
  type Subscription,
  type Table,
  type Tables,
} from "./subscriptions.ts";

export interface Subscriber {
  identity: Identity;
  /** Equal for identities that can read the same rows. */
  identityKey: string;
  subscriptions: Subscription[];
  /** `data` is JSON text. */
  sendChange(ids: number[], data: string): void;
  /** Tells the client that it missed a change. */
  sendGap(): void;
}

/** A lock on the table must not delay every other change for long. */
const CHECK_TIMEOUT = "5s";
/** For a whole delivery. */
const DELIVERY_TIMEOUT_MS = 8_000;

const recordSchema = z.array(z.object({ record: z.record(z.string(), z.unknown()) }));
type Row = z.infer<typeof recordSchema>[number]["record"];

/** Never rejects: subscribers whose query failed are told about the gap instead. */
export async function deliverChange(
  change: Change,
  subscribers: Iterable<Subscriber>,
  options: {
    sql: Sql;
    tables: Tables;
    awaitVisible: AwaitVisible;
    log: (line: string) => void;
  },
): Promise<void> {
  const { sql, tables, awaitVisible, log } = options;
  const changed = { schema: change.schema, name: change.table };
  const groups = groupByIdentity(subscribers, ({ request }) => {
    return (
      includesTable(request, changed) && (request.event === "*" || request.event === change.type)
    );
  });
  if (groups.length === 0) return;
  const visible = awaitVisible(change.transactionId);
  await Promise.all(groups.map(deliverToGroup));

  async function deliverToGroup(group: Candidate[]): Promise<void> {
    const done = new AbortController();
    // A query on a connection that breaks at the wrong moment never settles. It must not block the stream.
    const timeout = sleep(DELIVERY_TIMEOUT_MS, undefined, { signal: done.signal, ref: false }).then(
      () => {
        throw new Error("the database did not respond in time");
      },
    );
    try {
      await Promise.race([readAndSend(group), timeout]);
    } catch (error) {
      if (isForbidden(error)) return;
      log(`realtime: a change of ${change.schema}.${change.table} was not delivered: ${error}`);
      for (const { subscriber } of group) subscriber.sendGap();
    } finally {
      timeout.catch(() => {});
      done.abort();
    }
  }

  async function readAndSend(group: Candidate[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    await visible;
    const { identity } = first.subscriber;
    const table = await tables.find(change.schema, change.table);
    if (!table || table.key.length === 0 || !mayRead(table, identity.role)) return;
    const keyValues = table.key.map((column) => change.values[column]);
    // With a replica identity other than the primary key, a DELETE may lack the key.
    if (!keyValues.every((value) => typeof value === "string")) return;
    if (change.type === "DELETE") {
      const data = toData(change, table, null, keyOf(table, keyValues));
      for (const candidate of group) send(candidate, candidate.matching, data);
      return;
    }
    const row = await readRow(sql, identity, table, keyValues);
    if (!row) return;
    const oldRow = Object.fromEntries(table.key.map((column) => [column, row[column]]));
    const data = toData(change, table, row, change.type === "UPDATE" ? oldRow : null);
    for (const candidate of group) {
      const passing = candidate.matching.filter(({ filter }) => !filter || filter(row));
      send(candidate, passing, data);
    }
  }
}

interface Candidate {
  subscriber: Subscriber;
  matching: Subscription[];
}

/** All visitors share one identity, so a change costs one query for all of them. */
function groupByIdentity(
  subscribers: Iterable<Subscriber>,
  isMatch: (subscription: Subscription) => boolean,
): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const subscriber of subscribers) {
    const matching = subscriber.subscriptions.filter(isMatch);
    if (matching.length === 0) continue;
    const group = groups.get(subscriber.identityKey) ?? [];
    group.push({ subscriber, matching });
    groups.set(subscriber.identityKey, group);
  }
  return [...groups.values()];
}

async function readRow(
  sql: Sql,
  identity: Identity,
  table: Table,
  key: string[],
): Promise<Row | null> {
  const rows = await withIdentity(sql, identity, async (transaction) => {
    const [, found] = await Promise.all([
      // A hosted project sends times in UTC.
      transaction`
        select set_config('timezone', 'UTC', true),
               set_config('statement_timeout', ${CHECK_TIMEOUT}, true)`,
      transaction.unsafe(table.lookup, key, { prepare: true }),
    ]);
    return [...found];
  });
  return recordSchema.parse(rows)[0]?.record ?? null;
}

function toData(change: Change, table: Table, row: Row | null, oldRow: Row | null): string {
  return JSON.stringify({
    schema: change.schema,
    table: change.table,
    commit_timestamp: change.commitTimestamp,
    type: change.type,
    columns: table.columns,
    ...(row ? { record: row } : {}),
    ...(oldRow ? { old_record: oldRow } : {}),
    errors: null,
  });
}

/** The key of a deleted row as JSON, built from the values of the stream. */
function keyOf(table: Table, values: string[]): Row {
  return Object.fromEntries(
    table.key.map((name, index) => {
      const type = table.columns.find((column) => column.name === name)?.type ?? "";
      const value = values[index] ?? "";
      return [name, /^(int\d|float\d|numeric|oid)$/.test(type) ? Number(value) : value];
    }),
  );
}

function send(candidate: Candidate, subscriptions: Subscription[], data: string): void {
  if (subscriptions.length === 0) return;
  candidate.subscriber.sendChange(
    subscriptions.map(({ id }) => id),
    data,
  );
}

/** A policy may read a table for which the role has no privilege: then the role cannot read the row. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "42501";
}

/**
 * Waits until other connections see a streamed transaction. PostgreSQL streams a commit a moment before snapshots include
 * it: without the wait the row would not be found and its event would be lost. Rejects on a timeout.
 */
export type AwaitVisible = (transactionId: number) => Promise<void>;

const MAX_VISIBILITY_WAIT_MS = 30_000;
const MAX_PAUSE_MS = 50;

const visibleSchema = z.tuple([z.object({ visible: z.boolean() })]);

export function createAwaitVisible(sql: Sql): AwaitVisible {
  let lastVisible: number | null = null;

  return async function awaitVisible(transactionId) {
    // Called for each row of a transaction, and the stream sends transactions one after the other.
    if (transactionId === lastVisible) return;
    const deadline = performance.now() + MAX_VISIBILITY_WAIT_MS;
    for (let pauseMs = 1; !(await isVisible(transactionId)); pauseMs *= 2) {
      if (performance.now() > deadline) {
        throw new Error(`transaction ${transactionId} is written but not visible`);
      }
      await sleep(Math.min(pauseMs, MAX_PAUSE_MS));
    }
    lastVisible = transactionId;
  };

  async function isVisible(transactionId: number): Promise<boolean> {
    // The stream contains the lower 32 of 64 bits. The upper bits are those of the nearest current id.
    const rows = await sql`
      with present as (
        select snapshot, pg_snapshot_xmax(snapshot)::text::bigint + (1::bigint << 31) as horizon
        from pg_current_snapshot() as snapshot
      )
      select pg_visible_in_snapshot(
        (horizon - mod(horizon - ${transactionId}::bigint, 1::bigint << 32))::text::xid8, snapshot
      ) as visible
      from present`;
    return visibleSchema.parse([...rows])[0].visible;
  }
}
