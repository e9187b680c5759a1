// The Realtime server of the embedded backend: the website hears of new posts and testimonials at once.
// Covers: postgres_changes over the protocol of realtime-js (both serializer versions), under row-level security.
// Does not cover: broadcast, presence (both acknowledged, never relayed), private channels, the HTTP endpoints.
// There are no sockets without a replication stream: when it is lost every socket is closed with 1012 and new ones
// get 503 until it is back, so that clients join again and fetch what they may have missed.
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { type Sessions, sessionOf } from "../auth/sessions.ts";
import type { Sql } from "../database.ts";
import type { Identify } from "../identity.ts";
import { streamChanges } from "./changes.ts";
import { CLOSE, type Connection, openConnection } from "./connection.ts";
import { parseVersion, type Version } from "./protocol.ts";
import { deliverChange, type Subscriber } from "./subscriptions.ts";
import { createTables, PUBLICATION } from "./tables.ts";
import { createAwaitVisible } from "./visibility.ts";

const PATH = "/realtime/v1/websocket";
const MAX_SOCKETS = 200;
const MAX_MESSAGE_BYTES = 256 * 1024;
/** realtime-js sends a heartbeat every 25 s. */
const MAX_SILENCE_MS = 75_000;
const SWEEP_MS = 15_000;
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
  log?: (line: string) => void;
}): Promise<Realtime> {
  const { sql, identify, sessions, log = console.log } = options;
  const tables = createTables(sql);
  const delivery = { sql, tables, awaitVisible: createAwaitVisible(sql), log };
  const connections = new Set<Connection>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  let isStreaming = false;
  let admitting = 0;
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
    terminateSilent();
    // For a session that ended while its channel was being joined.
    void expelEndedSessions();
  }, SWEEP_MS);
  sweep.unref();
  await Promise.race([stream.attempted, sleep(START_MS, undefined, { ref: false })]);

  return { upgrade, expelEndedSessions, stop };

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    admitting += 1;
    admit(request, socket, head)
      .catch((error) => {
        log(`realtime: an upgrade failed: ${error}`);
        refuse(socket, 500);
      })
      .finally(() => {
        admitting -= 1;
      });
  }

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = URL.parse(request.url ?? "", "http://localhost");
    if (url?.pathname !== PATH) return refuse(socket, 404);
    const version = parseVersion(url.searchParams.get("vsn"));
    if (!version) return refuse(socket, 400);
    const apiKey = url.searchParams.get("apikey");
    if (!apiKey || !(await identify(apiKey, null))) return refuse(socket, 401);
    if (!isStreaming || connections.size + admitting > MAX_SOCKETS) return refuse(socket, 503);
    server.handleUpgrade(request, socket, head, (client) => accept(client, version, apiKey));
  }

  function accept(socket: WebSocket, version: Version, apiKey: string): void {
    const connection = openConnection({ socket, version, apiKey, identify, tables, log });
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  }

  function* allSubscribers(): Iterable<Subscriber> {
    for (const connection of connections) yield* connection.subscribers();
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
      for (const connection of connections) connection.expelSessions(ended);
    } catch (error) {
      log(`realtime: ended sessions could not be looked up: ${error}`);
    }
  }

  function terminateSilent(): void {
    for (const connection of connections) {
      if (connection.silence() > MAX_SILENCE_MS) connection.terminate();
    }
  }

  function closeAll(code: number, reason: string): void {
    for (const connection of connections) connection.close(code, reason);
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
    for (const connection of connections) connection.terminate();
  }
}

/** A refused upgrade is still an HTTP exchange; the client sees the status in its network log. */
function refuse(socket: Duplex, status: number): void {
  if (!socket.writable) return;
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
