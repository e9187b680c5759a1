// Decides who hears of a change: channels of its table whose role and policies let them read the row.
// Covers: row-level security through a SELECT of the row as each identity. As on a hosted project, a DELETE reaches
// every channel whose role may read the table, because no policy can be evaluated on a row that is gone. Does not cover:
// values of other columns than the key (a hosted project sends the whole row); the site reads them by REST.
import { type Identity, type Sql, withIdentity } from "../database.ts";
import type { Change } from "./changes.ts";

export interface Subscriber {
  identity: Identity;
  tables: string[];
  send(change: Change): void;
  /** Tells the client that it missed a change. */
  sendGap(): void;
}

export interface Delivery {
  /** Returns why the role cannot subscribe to the table, or null. */
  findObstacle(role: Identity["role"], table: string): Promise<string | null>;
  /** Never rejects: subscribers whose query failed are told about the gap instead. */
  deliver(change: Change, subscribers: Iterable<Subscriber>): Promise<void>;
}

/** A query on a connection that breaks at the wrong moment never settles. It must not block the stream. */
const TIMEOUT_MS = 8_000;

export function createDelivery(sql: Sql, log: (line: string) => void): Delivery {
  return { findObstacle, deliver };

  async function findObstacle(role: Identity["role"], table: string): Promise<string | null> {
    const [found] = await sql`
      select has_table_privilege(${role}, format('public.%I', tablename)::regclass, 'select') as readable
      from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = ${table}`;
    if (!found) return `${table} is not in the publication supabase_realtime`;
    return found.readable ? null : `${role} may not read ${table}`;
  }

  async function deliver(change: Change, subscribers: Iterable<Subscriber>): Promise<void> {
    const interested = [...subscribers].filter(({ tables }) => tables.includes(change.table));
    // All visitors share one identity, so a change costs one query for all of them.
    const groups = Map.groupBy(interested, ({ identity }) => JSON.stringify(identity));
    await Promise.all([...groups.values()].map((group) => deliverToGroup(change, group)));
  }

  async function deliverToGroup(change: Change, group: Subscriber[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(timeout.reject, TIMEOUT_MS, new Error("the database did not respond"));
    try {
      const readable = isReadable(change, first.identity);
      if (!(await Promise.race([readable, timeout.promise]))) return;
      for (const subscriber of group) subscriber.send(change);
    } catch (error) {
      log(`realtime: a change of ${change.table} was not delivered: ${error}`);
      for (const subscriber of group) subscriber.sendGap();
    } finally {
      clearTimeout(timer);
    }
  }

  async function isReadable(
    { table, type, column, value }: Change,
    identity: Identity,
  ): Promise<boolean> {
    try {
      const rows = await withIdentity(sql, identity, async (transaction) => [
        ...(await transaction`
          select from public.${sql(table)} where ${sql(column)} = ${value}`),
      ]);
      return type === "DELETE" || rows.length > 0;
    } catch (error) {
      // The role, or what a policy reads, lacks the privilege.
      if (error instanceof Error && "code" in error && error.code === "42501") return false;
      throw error;
    }
  }
}
