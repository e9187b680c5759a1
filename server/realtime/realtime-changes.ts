// Reports changed rows over Supabase Realtime, with the embedded backend and a hosted project alike. Each process of
// the site has its own subscription.
import { createServer, type IncomingMessage } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { createClient, type WebSocketLikeConstructor } from "@supabase/supabase-js";
import { WebSocket } from "ws";
import { withoutSession } from "../../supabase/functions/_shared/without-session.ts";
import { compareStates, type TableStates } from "./compare-states.ts";

interface RealtimeChangesOptions {
  /** The URL of the hosted project, or of this process. */
  url: string;
  anonKey: string;
  /** The tables, each with its primary key. */
  tables: Readonly<Record<string, string>>;
  /** The WebSocket class to use; the platform's by default. */
  transport?: WebSocketLikeConstructor;
  /** Reads public.table_states, to find the changes that Realtime loses. Without it, they stay unknown. */
  readStates?: () => Promise<TableStates>;
  /** How often the states are compared, and how long a change may be under way. */
  compare?: { intervalMs: number; graceMs: number };
  onChange: (table: string) => void;
  /** Called with true when the subscription starts, and with false when it is lost. */
  onConnected: (connected: boolean) => void;
  log?: (line: string) => void;
}

/** What is known of Realtime, for health checks. */
export interface RealtimeReport {
  /** `deaf`: the connection looks sound, but the last change was not heard. */
  realtime: "connected" | "disconnected" | "deaf";
  /** The last change that was heard, and how many seconds after its commit; null when the event did not tell. */
  lastChange: { at: string; afterSeconds: number | null } | null;
  /** When a change was last found that was not heard. */
  lastMissedAt: string | null;
}

export const notListening: RealtimeReport = {
  ...{ realtime: "disconnected", lastChange: null, lastMissedAt: null },
};

/** A broken connection is noticed after two heartbeats. */
const heartbeatMs = 10_000;
/** How long to wait without a subscription before opening a new connection: the old one may hang. */
const reconnectMs = 30_000;

export type RealtimeChanges = ReturnType<typeof listenToChanges>;

export function listenToChanges(options: RealtimeChangesOptions) {
  const { url, anonKey, tables, transport, readStates, onChange, onConnected } = options;
  const { log = console.warn } = options;
  let isConnected = false;
  let isStopped = false;
  let isDeaf = false;
  let lastChange: RealtimeReport["lastChange"] = null;
  let lastMissedAt: string | null = null;
  const comparing = readStates
    ? compareStates({
        ...{ readStates, tables: Object.keys(tables), onChange, onMissed, ...options.compare },
      })
    : null;
  let client = open();
  const reconnecting = setInterval(() => {
    if (!isConnected) reopen();
  }, reconnectMs).unref();

  return {
    report: (): RealtimeReport => ({
      realtime: !isConnected ? "disconnected" : isDeaf ? "deaf" : "connected",
      ...{ lastChange, lastMissedAt },
    }),
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(reconnecting);
      comparing?.stop();
      await close(client);
    },
  };

  function open() {
    const client = createClient(url, anonKey, {
      realtime: { heartbeatIntervalMs: heartbeatMs, ...(transport && { transport }) },
      auth: withoutSession,
    });
    const channel = client.channel("page cache");
    for (const [table, key] of Object.entries(tables)) {
      channel.on(
        "postgres_changes",
        { event: "*", schema: "public", table, select: [key] },
        ({ commit_timestamp }) => onHeard(table, commit_timestamp),
      );
    }
    // "SUBSCRIBED" only says that the channel exists. This message says that the database sends changes.
    channel.on("system", {}, ({ extension, status }) => {
      if (extension === "postgres_changes") setConnected(client, status === "ok");
    });
    channel.subscribe((status) => {
      if (status !== "SUBSCRIBED") setConnected(client, false);
    });
    return client;
  }

  /** @param committedAt undefined in an event without content */
  function onHeard(table: string, committedAt: string | undefined): void {
    const now = Date.now();
    const afterSeconds = committedAt ? Math.max(0, now - Date.parse(committedAt)) / 1000 : null;
    lastChange = { at: new Date(now).toISOString(), afterSeconds };
    isDeaf = false;
    comparing?.heard(table);
    onChange(table);
  }

  function onMissed(table: string): void {
    if (!isConnected) return;
    lastMissedAt = new Date().toISOString();
    if (!isDeaf) log(`Realtime is connected but did not send a change of ${table}: joining again`);
    isDeaf = true;
    setConnected(client, false);
    reopen();
  }

  function reopen(): void {
    const old = client;
    client = open();
    close(old);
  }

  function setConnected(sender: typeof client, connected: boolean): void {
    if (isStopped || sender !== client || (!isConnected && !connected)) return;
    isConnected = connected;
    // What changed before is not missed, because all pages are rendered again.
    if (connected) for (const table of Object.keys(tables)) comparing?.heard(table);
    onConnected(connected);
  }

  async function close(old: typeof client): Promise<void> {
    await old.removeAllChannels().catch(() => {});
    await old.realtime.disconnect();
  }
}

/**
 * A WebSocket class that connects to a backend in this process. Limits on network connections do not apply, so visitors
 * cannot take the connection's place.
 */
export function inProcessWebSocket(
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): WebSocketLikeConstructor {
  const server = createServer().on("upgrade", upgrade);
  class InProcessWebSocket extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols, { createConnection });
    }
  }
  // realtime-js documents support for ws; only the declared types of the events differ.
  return InProcessWebSocket as unknown as WebSocketLikeConstructor;

  function createConnection(): Duplex {
    const [client, accepted] = duplexPair();
    server.emit("connection", accepted);
    return client;
  }
}
