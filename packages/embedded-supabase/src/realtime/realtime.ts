// The Realtime server of the embedded backend: tells open pages of changed rows.
// Covers: INSERT, UPDATE and DELETE in commit order, with the selected columns or the whole row as it is now, for channels of
// the table whose role and policies may read the row, without columns that the role may not read. As on a hosted project, a
// DELETE reaches every channel whose role may read the table, because policies cannot be evaluated on a deleted row. Messages
// of the database to private channels, which policies of realtime.messages let a caller join; they must ask for
// realtime.topic(), because there is one row for all.
// Limits sockets per visitor and in total; connection.ts has the limits of one socket. Does not cover: events without content
// for a table that the role may not read; equal changes of a row in one transaction, which PostgreSQL merges; TRUNCATE. When
// changes cannot be received, every socket is closed with 1012 and new ones get 503, so that clients join again and refetch.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { z } from "zod";
import { type Authenticate, type Sessions, sessionOf } from "../auth/authentication.ts";
import { type Identity, withIdentity } from "../database.ts";
import { codeOf } from "../errors.ts";
import { createRateLimit, visitorKey } from "../rate-limits/rate-limit.ts";
import { createQueue } from "../rate-limits/shared-work.ts";
import type { Database } from "../start-database.ts";
import {
  type Broadcast,
  broadcastSchema,
  type Change,
  type Channel,
  CLOSE,
  type Connection,
  changeSchema,
  forbidden,
  openConnection,
  type Subscription,
} from "./connection.ts";

/** What the database notifies of. */
const noticeSchema = z.union([changeSchema, broadcastSchema]);

const PATH = "/realtime/v1/websocket";
const MAX_SOCKETS = 200;
/** The socket limit per visitor: each open tab has one. */
const MAX_SOCKETS_PER_VISITOR = 20;
/** Allows each opened page to connect, and realtime-js to retry after 1, 2, 5 and then 10 s. */
const CONNECTS_PER_VISITOR = { count: 120, seconds: 120 };
/** The longest message of a page is a join with a session token. */
const MAX_MESSAGE_BYTES = 8 * 1024;
const MAX_WAITING_CHANGES = 1_000;
const SWEEP_MS = 3_000;
const RETRY_MS = 1_000;
const CLOSE_TIMEOUT_MS = 1_000;

export async function startRealtime(options: {
  database: Pick<Database, "sql" | "untilReady" | "lost">;
  authenticate: Authenticate;
  sessions: Pick<Sessions, "findEnded">;
  /** Address of the visitor who connects; null for the site itself, to which no limit applies. */
  visitorAddress: () => string | null;
  log: (line: string) => void;
}) {
  const { database, authenticate, sessions, visitorAddress, log } = options;
  const { sql } = database;
  /** The open sockets with their visitors, oldest first. */
  const connections = new Map<Connection, string | null>();
  const connects = createRateLimit(CONNECTS_PER_VISITOR);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  /** Changes are delivered one at a time, so that they keep their order. */
  let deliveries = createQueue("for the site", 1);
  let isListening = false;
  let isStopped = false;

  void keepListening(await listen());
  const sweeping = setInterval(sweep, SWEEP_MS).unref();

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on("error", () => socket.destroy());
      admit(request, socket, head).catch((error) => {
        log(`realtime: an upgrade failed: ${error}`);
        reject(socket, 500);
      });
    },
    closeEndedSessions,
    /** Closes every socket and accepts no more. */
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(sweeping);
      closeAll(CLOSE.goingAway, "the server stops");
      const deadline = performance.now() + CLOSE_TIMEOUT_MS;
      while (connections.size > 0 && performance.now() < deadline) await sleep(10);
      for (const connection of connections.keys()) connection.terminate();
    },
  };

  /** @returns a signal that aborts when the connection is lost; null after a failure */
  async function listen(): Promise<AbortSignal | null> {
    await database.untilReady();
    const lost = database.lost();
    try {
      await sql.unsafe(readFileSync(join(import.meta.dirname, "notify-changes.sql"), "utf8"));
      await sql.listen("realtime", (payload) => onNotice(noticeSchema.parse(JSON.parse(payload))));
      isListening = !lost.aborted;
      return lost;
    } catch (error) {
      log(`realtime: does not hear of changes: ${error}`);
      return null;
    }
  }

  async function keepListening(first: AbortSignal | null): Promise<void> {
    for (let lost = first; ; lost = await listen()) {
      if (!lost) await sleep(RETRY_MS, undefined, { ref: false });
      else if (!lost.aborted) await once(lost, "abort");
      if (isStopped) return;
      isListening = false;
      startOver("the database connection was lost");
    }
  }

  function onNotice(notice: Change | Broadcast): void {
    if (deliveries.size() >= MAX_WAITING_CHANGES) {
      startOver("too many changes at once");
      return;
    }
    deliveries
      .run(() => ("table" in notice ? deliver(notice) : broadcast(notice)))
      .catch((error) => {
        log(`realtime: a change was not delivered: ${error}`);
        startOver("a change was missed");
      });
  }

  /** Drops earlier changes: clients join again and refetch. */
  function startOver(reason: string): void {
    deliveries.clear();
    deliveries = createQueue("for the site", 1);
    closeAll(CLOSE.restart, reason);
  }

  async function deliver(change: Change): Promise<void> {
    endExpiredChannels();
    const interested = allChannels().flatMap((channel) =>
      channel.subscriptions
        .filter(({ table }) => table === change.table)
        .map((subscription) => ({ channel, ...subscription })),
    );
    // One read for each identity, whatever columns its channels ask for. All visitors share one identity.
    const groups = Map.groupBy(interested, ({ channel }) => readerOf(channel));
    await Promise.all(
      [...groups.values()].map(async (group) => {
        const [first] = group;
        const selects = group.map(({ select }) => select);
        const row = first && (await readRow(change, first.channel.identity, unionOf(selects)));
        if (!row) return;
        for (const { channel, id, select } of group) {
          channel.send(id, change, pickColumns(row, change.column, select));
        }
      }),
    );
  }

  /** Ends the channels of those who may not join any more. */
  async function broadcast(message: Broadcast): Promise<void> {
    endExpiredChannels();
    const channels = allChannels().filter(({ privateTopic }) => privateTopic === message.topic);
    const groups = Map.groupBy(channels, readerOf);
    for (const group of groups.values()) {
      const [first] = group;
      const isAllowed = first && (await mayJoin(first.identity, message.topic));
      for (const channel of group) {
        if (isAllowed) channel.broadcast(message);
        else channel.end(forbidden(message.topic));
      }
    }
  }

  /**
   * Reads the columns that the role may read.
   * @param wanted columns besides the key; null for all
   * @returns the row, empty when it is deleted; null when policies hide it
   */
  async function readRow(
    { table, type, column, value }: Change,
    identity: Identity,
    wanted: readonly string[] | null,
  ): Promise<Record<string, unknown> | null> {
    try {
      const [row = null] = await withIdentity(sql, identity, async (transaction) => {
        const columns = await transaction<{ name: string }[]>`
          select attname as name from pg_attribute
          where attrelid = format('public.%I', ${table}::text)::regclass and attnum > 0
            and not attisdropped and has_column_privilege(attrelid, attnum, 'select')
            and (${wanted === null} or attname = any(${wanted ?? []}::text[]))`;
        const names = new Set([column, ...columns.map(({ name }) => name)]);
        return [
          ...(await transaction<Record<string, unknown>[]>`
            select ${sql([...names])} from public.${sql(table)} where ${sql(column)} = ${value}`),
        ];
      });
      return type === "DELETE" ? {} : row;
    } catch (error) {
      if (isForbidden(error)) return null;
      throw error;
    }
  }

  async function mayJoin(identity: Identity, topic: string): Promise<boolean> {
    return withIdentity(sql, identity, async (transaction) => {
      await transaction`select set_config('realtime.topic', ${topic}, true)`;
      return (await transaction`select from realtime.messages limit 1`).length > 0;
    }).catch((error) => {
      if (isForbidden(error)) return false;
      throw error;
    });
  }

  async function findRefusal(
    { role }: Identity,
    subscriptions: readonly Subscription[],
  ): Promise<string | null> {
    const readable = await sql<{ table: string; columns: string[] }[]>`
      select tablename as table, array(
        select attname::text from pg_attribute
        where attrelid = format('public.%I', tablename)::regclass and attnum > 0
          and has_column_privilege(${role}, attrelid, attnum, 'select')
      ) as columns
      from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public'
        and tablename = any(${subscriptions.map(({ table }) => table)}::text[])`;
    for (const { table, select } of subscriptions) {
      const columns = readable.find((each) => each.table === table)?.columns;
      if (!columns || select?.some((name) => !columns.includes(name))) {
        const wanted = select ? ` and columns ${select.join()}` : "";
        return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the table ${table}${wanted}`;
      }
    }
    return null;
  }

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = visitorAddress();
    const visitor = address === null ? null : visitorKey(address);
    const url = URL.parse(request.url ?? "", "http://localhost");
    if (url?.pathname !== PATH) return reject(socket, 404);
    if (visitor !== null && connects.take(visitor) > 0) return reject(socket, 429);
    const apiKey = url.searchParams.get("apikey");
    if (!apiKey || !(await authenticate(apiKey, null))) return reject(socket, 401);
    if (!isListening || isStopped) return reject(socket, 503);
    if (visitor !== null) {
      // Checked first: a visitor at the limit must not close another visitor's socket.
      if (countOf(visitor) >= MAX_SOCKETS_PER_VISITOR) return reject(socket, 429);
      if (connections.size >= MAX_SOCKETS && !makeRoomFor(visitor)) return reject(socket, 503);
    }
    server.handleUpgrade(request, socket, head, (client) => {
      const connection = openConnection({
        ...{ socket: client, apiKey, authenticate, mayJoin, findRefusal, log },
      });
      connections.set(connection, visitor);
      client.on("close", () => connections.delete(connection));
    });
  }

  function countOf(visitor: string): number {
    return [...connections.values()].filter((owner) => owner === visitor).length;
  }

  /** Closes the oldest socket of the visitor with the most sockets, unless the new visitor has as many. */
  function makeRoomFor(visitor: string): boolean {
    const counts = Map.groupBy(connections, ([, owner]) => owner);
    counts.delete(null);
    const largest = [...counts.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const [oldest] = largest[0] ?? [];
    if (!oldest || largest.length <= countOf(visitor) + 1) return false;
    connections.delete(oldest);
    oldest.terminate();
    return true;
  }

  function allChannels(): Channel[] {
    return [...connections.keys()].flatMap((connection) => [...connection.channels()]);
  }

  /** Also finds sessions that ended only in the database. */
  function sweep(): void {
    for (const connection of connections.keys()) {
      if (connection.isUnused()) connection.terminate();
    }
    endExpiredChannels();
    void closeEndedSessions();
  }

  function endExpiredChannels(): void {
    for (const channel of allChannels()) {
      const { exp } = channel.identity.claims;
      if (typeof exp === "number" && exp * 1000 < Date.now()) {
        channel.end("InvalidJWTToken: The token has expired");
      }
    }
  }

  /** Never rejects. */
  async function closeEndedSessions(): Promise<void> {
    const idOf = ({ identity }: Channel) => sessionOf(identity.claims)?.sessionId ?? "";
    const channels = allChannels().filter(idOf);
    if (channels.length === 0) return;
    try {
      const ended = await sessions.findEnded(channels.map(idOf));
      for (const channel of channels) {
        if (ended.has(idOf(channel))) channel.end("InvalidJWTToken: The session has ended");
      }
    } catch (error) {
      log(`realtime: ended sessions could not be looked up: ${error}`);
    }
  }

  function closeAll(code: number, reason: string): void {
    for (const connection of connections.keys()) connection.close(code, reason);
  }
}

/** The same for all channels of a visitor's role, and for all tokens of a session: policies ask for neither of these times. */
function readerOf({ identity: { role, claims } }: Channel): string {
  return JSON.stringify([role, { ...claims, iat: null, exp: null }]);
}

/** The columns of all selections; null when one of them has all columns. */
function unionOf(selects: readonly Subscription["select"][]): string[] | null {
  const union = new Set<string>();
  for (const select of selects) {
    if (select === null) return null;
    for (const name of select) union.add(name);
  }
  return [...union];
}

function pickColumns(
  row: Record<string, unknown>,
  key: string,
  select: Subscription["select"],
): object {
  if (select === null) return row;
  const names = new Set([key, ...select]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)));
}

/** Whether the role lacks a privilege on the table, or on something that a policy reads. */
function isForbidden(error: unknown): boolean {
  return codeOf(error) === "42501";
}

/** Rejects the upgrade with an HTTP status. */
function reject(socket: Duplex, status: number): void {
  if (!socket.writable) return;
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n` +
      `${status === 429 || status === 503 ? "Retry-After: 10\r\n" : ""}\r\n`,
  );
}
