// The Realtime server of the embedded backend: tells open pages the table and key of each changed row.
// Covers: postgres_changes over the protocol of realtime-js, under row-level security (delivery.ts); limits of sockets
// per visitor and in total. The limits of one socket, and what it may ask for, are in connection.ts. Does not cover: HTTP
// endpoints. When the connection that hears of changes is lost, every socket is closed with 1012 and new ones get 503 until
// it is back, so that clients rejoin and refetch.
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { type WebSocket, WebSocketServer } from "ws";
import { type Authenticate, type Sessions, sessionOf } from "../auth/authentication.ts";
import type { Sql } from "../database.ts";
import { createRateLimit } from "../rate-limits/rate-limit.ts";
import { visitorKey } from "../rate-limits/visitor-key.ts";
import { type Change, listenToChanges } from "./changes.ts";
import { CLOSE, type Connection, openConnection } from "./connection.ts";
import { createDelivery, type Subscriber } from "./delivery.ts";

const PATH = "/realtime/v1/websocket";
const MAX_SOCKETS = 200;
/** Additional sockets for the site's own listener, which visitors cannot use up. */
const RESERVED_SOCKETS = 10;
/** Each open tab has one socket. */
const MAX_SOCKETS_PER_VISITOR = 20;
/** realtime-js retries after 1, 2, 5 and then 10 s; every opened page connects once. */
const CONNECTS_PER_VISITOR = { count: 120, seconds: 120 };
/** The longest message of a page is a join with a session token. */
const MAX_MESSAGE_BYTES = 8 * 1024;
const MAX_WAITING_CHANGES = 1_000;
const JOIN_TIMEOUT_MS = 10_000;
/** `closeEndedSessions` handles sessions that end by a request. This finds those that end in the database only. */
const SESSION_SWEEP_MS = 15_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** A slow database must not delay the start of the website for longer. */
const START_MS = 5_000;

export interface Realtime {
  /** Handles an HTTP upgrade of /realtime/v1/websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the channels of sessions that have ended. Never rejects. */
  closeEndedSessions(): Promise<void>;
  /** Closes every socket. A second call waits for the first. */
  stop(): Promise<void>;
}

export async function startRealtime(options: {
  /** Resolves when the database is available. */
  databaseUrl: () => Promise<string>;
  sql: Sql;
  authenticate: Authenticate;
  sessions: Pick<Sessions, "findEnded">;
  /** Address of the visitor who connects; null for the site itself, to which no limit per visitor applies. */
  visitorAddress?: () => string | null;
  /** Milliseconds in which a new socket must join a channel. Only tests set it. */
  joinTimeout?: number;
  log?: (line: string) => void;
}): Promise<Realtime> {
  const { sql, authenticate, sessions, visitorAddress = () => null, log = console.log } = options;
  const { joinTimeout = JOIN_TIMEOUT_MS } = options;
  const delivery = createDelivery(sql, log);
  const deliveries = pLimit(1);
  /** Each with its visitor, oldest first. */
  const connections = new Map<Connection, string | null>();
  const connects = createRateLimit(CONNECTS_PER_VISITOR);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  let isStreaming = false;
  let stopped: Promise<void> | null = null;

  const stream = listenToChanges({
    databaseUrl: options.databaseUrl,
    sql,
    onChange,
    onUp: () => {
      isStreaming = true;
    },
    onDown: () => {
      isStreaming = false;
      startOver("the database connection was lost");
    },
    log,
  });
  const unusedSweep = setInterval(terminateUnused, joinTimeout / 4).unref();
  const sessionSweep = setInterval(closeEndedSessions, SESSION_SWEEP_MS).unref();
  await Promise.race([stream.attempted, sleep(START_MS, undefined, { ref: false })]);

  return { upgrade, closeEndedSessions, stop };

  /** One at a time, so that changes keep their order. */
  function onChange(change: Change): void {
    if (deliveries.pendingCount < MAX_WAITING_CHANGES) {
      void deliveries(() => delivery.deliver(change, allSubscribers()));
    } else {
      startOver("too many changes at once");
    }
  }

  /** Clients rejoin and refetch, so they need no earlier change. */
  function startOver(reason: string): void {
    deliveries.clearQueue();
    closeAll(CLOSE.restart, reason);
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const address = visitorAddress();
    const visitor = address === null ? null : visitorKey(address);
    admit(request, socket, head, visitor).catch((error) => {
      log(`realtime: an upgrade failed: ${error}`);
      reject(socket, 500);
    });
  }

  async function admit(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    visitor: string | null,
  ): Promise<void> {
    const url = URL.parse(request.url ?? "", "http://localhost");
    if (url?.pathname !== PATH) return reject(socket, 404);
    if (url.searchParams.get("vsn") !== "2.0.0") return reject(socket, 400);
    if (visitor !== null && !mayConnect(visitor)) return reject(socket, 429);
    const apiKey = url.searchParams.get("apikey");
    if (!apiKey || !(await authenticate(apiKey, null))) return reject(socket, 401);
    // Check the visitor's own sockets first: a visitor at the limit must not close another visitor's socket.
    if (visitor !== null && countOf(visitor) >= MAX_SOCKETS_PER_VISITOR) return reject(socket, 429);
    if (!isStreaming || !makeRoomFor(visitor)) return reject(socket, 503);
    server.handleUpgrade(request, socket, head, (client) => accept(client, apiKey, visitor));
  }

  function mayConnect(visitor: string): boolean {
    const now = performance.now();
    if (connects.wait(visitor, now) > 0) return false;
    connects.take(visitor, now);
    return true;
  }

  function countOf(visitor: string | null): number {
    return [...connections.values()].filter((owner) => owner === visitor).length;
  }

  /** When all sockets are in use, closes the oldest of the visitor with the most, unless the new visitor has as many. */
  function makeRoomFor(visitor: string | null): boolean {
    if (connections.size < MAX_SOCKETS) return true;
    if (visitor === null) return connections.size < MAX_SOCKETS + RESERVED_SOCKETS;
    const counts = Map.groupBy(connections, ([, owner]) => owner);
    counts.delete(null);
    const largest = [...counts.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (largest.length <= countOf(visitor) + 1) return false;
    const [oldest] = largest[0] ?? [];
    if (!oldest) return false;
    connections.delete(oldest);
    oldest.terminate();
    return true;
  }

  function accept(socket: WebSocket, apiKey: string, visitor: string | null): void {
    const { findObstacle } = delivery;
    const connection = openConnection({
      ...{ socket, apiKey, authenticate, findObstacle, joinTimeout, log },
    });
    connections.set(connection, visitor);
    socket.on("close", () => connections.delete(connection));
  }

  function* allSubscribers(): Iterable<Subscriber> {
    for (const connection of connections.keys()) yield* connection.subscribers();
  }

  async function closeEndedSessions(): Promise<void> {
    const joined = new Set<string>();
    for (const { identity } of allSubscribers()) {
      const session = sessionOf(identity.claims);
      if (session) joined.add(session.sessionId);
    }
    if (joined.size === 0) return;
    try {
      const ended = await sessions.findEnded([...joined]);
      for (const connection of connections.keys()) connection.closeSessions(ended);
    } catch (error) {
      log(`realtime: ended sessions could not be looked up: ${error}`);
    }
  }

  function terminateUnused(): void {
    for (const connection of connections.keys()) {
      if (connection.isUnused()) connection.terminate();
    }
  }

  function closeAll(code: number, reason: string): void {
    for (const connection of connections.keys()) connection.close(code, reason);
  }

  function stop(): Promise<void> {
    stopped ??= end();
    return stopped;
  }

  async function end(): Promise<void> {
    clearInterval(unusedSweep);
    clearInterval(sessionSweep);
    isStreaming = false;
    closeAll(CLOSE.goingAway, "the server stops");
    await stream.stop();
    const deadline = performance.now() + CLOSE_TIMEOUT_MS;
    while (connections.size > 0 && performance.now() < deadline) await sleep(10);
    for (const connection of connections.keys()) connection.terminate();
  }
}

/** Responds to the upgrade with an HTTP status. */
function reject(socket: Duplex, status: number): void {
  if (!socket.writable) return;
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n` +
      `${status === 429 || status === 503 ? "Retry-After: 10\r\n" : ""}\r\n`,
  );
}
