// Who gets a change: the subscriptions it matches, narrowed to those who may read the row.
// Covers: event, schema, table, filter; row-level security through a SELECT of the row as each identity.
// INSERT and UPDATE carry the row as it stands when it is checked, which may already be a later version; a row
// that is gone by then sends its DELETE only. DELETE passes policies and filters and carries the key alone, as on
// a hosted project.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Identity, type Sql, withIdentity } from "../database.ts";
import type { Change } from "./changes.ts";
import { type Filter, parseFilter } from "./filters.ts";
import { mayRead, type Table, type Tables } from "./subscriptions.ts";
import type { AwaitVisible } from "./visibility.ts";

/** What a client asks for in the join; its answer repeats these fields, which realtime-js compares. */
export const requestSchema = z.object({
  event: z.enum(["*", "INSERT", "UPDATE", "DELETE"]),
  schema: z.string().min(1).max(63),
  table: z.string().min(1).max(63).optional(),
  filter: z.string().max(200).optional(),
  select: z.array(z.string()).max(10).optional(),
});
export type SubscriptionRequest = z.infer<typeof requestSchema>;

export interface Subscription {
  id: number;
  request: SubscriptionRequest;
  filter: Filter | null;
}

export interface Subscriber {
  identity: Identity;
  /** Equal for identities that see the same rows. */
  identityKey: string;
  subscriptions: Subscription[];
  /** `data` is JSON text. */
  sendChange(ids: number[], data: string): void;
  /** Tells the client that it missed something. */
  sendGap(): void;
}

/** A lock on the table must not hold up every other change for long. */
const CHECK_TIMEOUT = "5s";
/** Of a whole delivery. */
const DELIVERY_TIMEOUT_MS = 8_000;

const recordSchema = z.array(z.object({ record: z.record(z.string(), z.unknown()) }));
type Row = z.infer<typeof recordSchema>[number]["record"];

let lastId = 0;

/** Answers the reason, as text, when the subscription cannot be served. */
export async function createSubscription(
  request: SubscriptionRequest,
  identity: Identity,
  tables: Tables,
): Promise<Subscription | string> {
  const name = `${request.schema}.${request.table ?? "*"}`;
  if (request.select) return `"select" is not supported (${name})`;
  const published = (await tables.list()).filter((table) => isAbout(request, table));
  const readable = published.filter((table) => mayRead(table, identity.role));
  if (published.length === 0) return `${name} is not in the publication supabase_realtime`;
  if (readable.length === 0) return `${identity.role} may not read ${name}`;
  if (readable.every((table) => table.key.length === 0)) return `${name} has no primary key`;

  lastId += 1;
  if (!request.filter) return { id: lastId, request, filter: null };
  const [table] = readable;
  if (!table || readable.length > 1) return `a filter needs a table (${name})`;
  const filter = parseFilter(request.filter, table.columns);
  return typeof filter === "string" ? filter : { id: lastId, request, filter };
}

/** Never rejects: subscribers whose check failed are told of the gap instead. */
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
  const about = { schema: change.schema, name: change.table };
  const groups = groupByIdentity(subscribers, ({ request }) => {
    return isAbout(request, about) && (request.event === "*" || request.event === change.type);
  });
  if (groups.length === 0) return;
  const visible = awaitVisible(change.transactionId);
  await Promise.all(groups.map(deliverToGroup));

  async function deliverToGroup(group: Candidate[]): Promise<void> {
    const end = new AbortController();
    // A query on a connection that breaks at the wrong moment never settles: it must not stop the stream.
    const tooLate = sleep(DELIVERY_TIMEOUT_MS, undefined, { signal: end.signal, ref: false }).then(
      () => {
        throw new Error("the database did not answer in time");
      },
    );
    try {
      await Promise.race([readAndSend(group), tooLate]);
    } catch (error) {
      if (isForbidden(error)) return;
      log(`realtime: a change of ${change.schema}.${change.table} was not delivered: ${error}`);
      for (const { subscriber } of group) subscriber.sendGap();
    } finally {
      tooLate.catch(() => {});
      end.abort();
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
    // A replica identity other than the primary key can leave it out of a DELETE.
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

/** A hundred visitors are one identity, and cost one check. */
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
      // Times in UTC whatever the machine's zone, as a hosted project sends them.
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

/** The key of a deleted row as JSON: there is no row left to ask. */
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

/** A policy may use what the role has no privilege for: the row is then not readable. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "42501";
}

function isAbout(request: SubscriptionRequest, table: { schema: string; name: string }): boolean {
  return (
    (request.schema === "*" || request.schema === table.schema) &&
    (request.table === undefined || request.table === "*" || request.table === table.name)
  );
}
