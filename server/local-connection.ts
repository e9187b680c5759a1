import type { Server } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import type { WebSocketLikeConstructor } from "@supabase/supabase-js";
import { WebSocket } from "ws";

const local = new WeakSet<Duplex>();

/**
 * A WebSocket class whose sockets connect to this server of the same process without the network: no
 * limit on connections applies to them, and visitors can't occupy their place.
 */
export function localWebSocket(server: Server): WebSocketLikeConstructor {
  class LocalWebSocket extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols, { createConnection: () => connectLocally(server) });
    }
  }
  // Compatible, as realtime-js says of ws; but the two declare their events in different ways.
  return LocalWebSocket as unknown as WebSocketLikeConstructor;
}

/** Whether the other end of a server's connection is this process itself. */
export function isLocal(socket: Duplex): boolean {
  return local.has(socket);
}

function connectLocally(server: Server): Duplex {
  const [near, far] = duplexPair();
  local.add(far);
  server.emit("connection", far);
  return near;
}
