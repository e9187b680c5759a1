// Reports changed rows over Supabase Realtime, with the embedded backend and a hosted project alike. Each process of
// the site has its own subscription.
import type { Server } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { createClient, type WebSocketLikeConstructor } from "@supabase/supabase-js";
import { WebSocket } from "ws";

interface RealtimeChangesOptions {
  /** The URL of the hosted project, or of this process. */
  url: string;
  anonKey: string;
  tables: readonly string[];
  /** The WebSocket class to use; the platform's by default. */
  transport?: WebSocketLikeConstructor;
  onChange: (table: string) => void;
  /** Called with true when the subscription starts, and with false when it is lost. */
  onConnected: (connected: boolean) => void;
}

/** A broken connection is noticed after two heartbeats. */
const heartbeatMs = 10_000;
/** How long to wait without a subscription before opening a new connection: the old one may hang. */
const reconnectMs = 30_000;

export function listenToChanges(options: RealtimeChangesOptions) {
  const { url, anonKey, tables, transport, onChange, onConnected } = options;
  let isConnected = false;
  let isStopped = false;
  let client = open();
  const reconnecting = setInterval(() => {
    if (!isConnected) reopen();
  }, reconnectMs).unref();

  return {
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(reconnecting);
      await close(client);
    },
  };

  function open() {
    const client = createClient(url, anonKey, {
      realtime: { heartbeatIntervalMs: heartbeatMs, ...(transport && { transport }) },
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    });
    const channel = client.channel("page cache");
    for (const table of tables) {
      channel.on("postgres_changes", { event: "*", schema: "public", table }, () => {
        onChange(table);
      });
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

  function reopen(): void {
    const old = client;
    client = open();
    close(old);
  }

  function setConnected(sender: typeof client, connected: boolean): void {
    if (isStopped || sender !== client || (!isConnected && !connected)) return;
    isConnected = connected;
    onConnected(connected);
  }

  async function close(old: typeof client): Promise<void> {
    await old.removeAllChannels().catch(() => {});
    await old.realtime.disconnect();
  }
}

const inProcessSockets = new WeakSet<Duplex>();

/**
 * A WebSocket class that connects to this server within the process. Limits on network connections do not apply,
 * so visitors cannot take the connection's place.
 */
export function inProcessWebSocket(server: Server): WebSocketLikeConstructor {
  class InProcessWebSocket extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols, { createConnection: () => connectInProcess(server) });
    }
  }
  // realtime-js documents support for ws; only the declared types of the events differ.
  return InProcessWebSocket as unknown as WebSocketLikeConstructor;
}

/** Whether this process itself is the client of a server's connection. */
export function isInProcess(socket: Duplex): boolean {
  return inProcessSockets.has(socket);
}

function connectInProcess(server: Server): Duplex {
  const [client, accepted] = duplexPair();
  inProcessSockets.add(accepted);
  server.emit("connection", accepted);
  return client;
}
