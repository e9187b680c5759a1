// The Realtime server of the embedded backend: the website hears of new posts and testimonials at once.
// Covers: postgres_changes over the protocol of realtime-js (both serializer versions), under row-level security.
// Does not cover: broadcast, presence (both acknowledged, never relayed), private channels, the HTTP endpoints.
// Limits: sockets per visitor and in all, channels and messages per socket (connection.ts), and the memory for what
// clients do not read. 200 sockets at every limit hold about 10 MB, and at most MAX_UNSENT_BYTES wait for slow ones.
// There are no sockets without a replication stream: when it is lost every socket is closed with 1012 and new ones
// get 503 until it is back, so that clients join again and fetch what they may have missed.
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { type Sessions, sessionOf } from "../auth/sessions.ts";
import type { Sql } from "../database.ts";
import type { Identify } from "../auth/authentication.ts";
import { createAllowance } from "../rate-limits/allowance.ts";
import { visitorKey } from "../rate-limits/visitor-key.ts";
import { streamChanges } from "./changes.ts";
import { CLOSE, type Connection, openConnection } from "./connection.ts";
import { parseVersion, type Version } from "./protocol.ts";
import { deliverChange, type Subscriber } from "./delivery.ts";
import { createTables, PUBLICATION } from "./subscriptions.ts";
import { createAwaitVisible } from "./visibility.ts";

const PATH = "/realtime/v1/websocket";
const MAX_SOCKETS = 200;
/** In addition, for the site's own listener: it is never refused because visitors hold every socket. */
const RESERVED_SOCKETS = 10;
/** A socket per open tab. */
const MAX_SOCKETS_PER_VISITOR = 20;
/** realtime-js retries after 1, 2, 5 and then 10 s; every page that is opened connects once. */
const CONNECTS_PER_VISITOR = { count: 120, seconds: 120 };
/** The longest message of a page is a join with its session token. */
const MAX_MESSAGE_BYTES = 8 * 1024;
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
const JOIN_TIMEOUT_MS = 10_000;
const FAREWELL_MS = 1_000;
/** A database that is slow to answer must not keep the website from starting. */
const START_MS = 5_000;

export interface Realtime {
  /** Takes over the socket of GET /realtime/v1/websocket (any HTTP upgrade whose path is that). */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the channels of sessions that no longer exist. Never rejects. */
  expelEndedSessions(): Promise<void>;
  /** Says goodbye to every socket. A second call waits for the first. */
  stop(): Promise<void>;
}

export async function startRealtime(options: {
  /** Resolves when the database can be used. */
  databaseUrl: () => Promise<string>;
  sql: Sql;
  identify: Identify;
  sessions: Pick<Sessions, "findEnded">;
  /** Of the visitor who connects; null for the site itself, which no limit per visitor holds back. */
  visitorAddress?: () => string | null;
  /** Milliseconds in which a new socket has to join a channel. Only tests change it. */
  joinTimeout?: number;
  log?: (line: string) => void;
}): Promise<Realtime> {
  const { sql, identify, sessions, visitorAddress = () => null, log = console.log } = options;
  const { joinTimeout = JOIN_TIMEOUT_MS } = options;
  const tables = createTables(sql);
  const delivery = { sql, tables, awaitVisible: createAwaitVisible(sql), log };
  /** Each with the visitor it belongs to. The oldest comes first. */
  const connections = new Map<Connection, string | null>();
  const connects = createAllowance(CONNECTS_PER_VISITOR);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  let isStreaming = false;
  let stopped: Promise<void> | null = null;

  const stream = streamChanges({
    databaseUrl: options.databaseUrl,
    publication: PUBLICATION,
    onChange: (change) => deliverChange(change, allSubscribers(), delivery),
    onSchemaChange: () => tables.forget(),
    onUp: () => {
      isStreaming = true;
    },
    onDown: () => {
      isStreaming = false;
      closeAll(CLOSE.restart, "the database connection was lost");
    },
    log,
  });
  const sweep = setInterval(() => {
    terminateUnused();
    // For a session that ended while its channel was being joined.
    void expelEndedSessions();
  }, joinTimeout / 4);
  sweep.unref();
  await Promise.race([stream.attempted, sleep(START_MS, undefined, { ref: false })]);

  return { upgrade, expelEndedSessions, stop };

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const address = visitorAddress();
    const visitor = address === null ? null : visitorKey(address);
    admit(request, socket, head, visitor).catch((error) => {
      log(`realtime: an upgrade failed: ${error}`);
      refuse(socket, 500);
    });
  }

  async function admit(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    visitor: string | null,
  ): Promise<void> {
    const url = URL.parse(request.url ?? "", "http://localhost");
    if (url?.pathname !== PATH) return refuse(socket, 404);
    const version = parseVersion(url.searchParams.get("vsn"));
    if (!version) return refuse(socket, 400);
    if (visitor !== null && !mayConnect(visitor)) return refuse(socket, 429);
    const apiKey = url.searchParams.get("apikey");
    if (!apiKey || !(await identify(apiKey, null))) return refuse(socket, 401);
    // The other way round, a refused visitor could close the socket of someone else.
    if (visitor !== null && countOf(visitor) >= MAX_SOCKETS_PER_VISITOR) return refuse(socket, 429);
    if (!isStreaming || !makeRoomFor(visitor)) return refuse(socket, 503);
    server.handleUpgrade(request, socket, head, (client) =>
      accept(client, version, apiKey, visitor),
    );
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

  /** When every socket is taken, a visitor with fewer sockets gets one of the visitor with most. */
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

  function accept(
    socket: WebSocket,
    version: Version,
    apiKey: string,
    visitor: string | null,
  ): void {
    const connection = openConnection({
      socket,
      version,
      apiKey,
      identify,
      tables,
      hasRoomForUnsent,
      joinTimeout,
      log,
    });
    connections.set(connection, visitor);
    socket.on("close", () => connections.delete(connection));
  }

  function* allSubscribers(): Iterable<Subscriber> {
    for (const connection of connections.keys()) yield* connection.subscribers();
  }

  async function expelEndedSessions(): Promise<void> {
    const joined = new Set<string>();
    for (const { identity } of allSubscribers()) {
      const session = sessionOf(identity.claims);
      if (session) joined.add(session.sessionId);
    }
    if (joined.size === 0) return;
    try {
      const ended = await sessions.findEnded([...joined]);
      for (const connection of connections.keys()) connection.expelSessions(ended);
    } catch (error) {
      log(`realtime: ended sessions could not be looked up: ${error}`);
    }
  }

  function hasRoomForUnsent(): boolean {
    let unsent = 0;
    for (const connection of connections.keys()) unsent += connection.unsentBytes();
    return unsent < MAX_UNSENT_BYTES;
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
    clearInterval(sweep);
    isStreaming = false;
    closeAll(CLOSE.goingAway, "the server stops");
    await stream.stop();
    const deadline = performance.now() + FAREWELL_MS;
    while (connections.size > 0 && performance.now() < deadline) await sleep(10);
    for (const connection of connections.keys()) connection.terminate();
  }
}

/** A refused upgrade is still an HTTP exchange; the client sees the status in its network log. */
function refuse(socket: Duplex, status: number): void {
  if (!socket.writable) return;
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n` +
      `${status === 429 || status === 503 ? "Retry-After: 10\r\n" : ""}\r\n`,
  );
}
