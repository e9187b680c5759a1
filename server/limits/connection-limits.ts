// An HTTP server that limits connections per address and disconnects clients that send a request, or read a
// response, too slowly.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";

export interface ConnectionLimits {
  /** The maximum number of connections. At the limit, a new connection closes one of the address that has the most. */
  connections: number;
  /** The maximum per address. At the limit, a new connection closes an idle one of the same address, or is rejected. */
  connectionsPerAddress: number;
  /** The maximum number of a connection's requests without a complete response. Browsers do not pipeline. */
  pipelined: number;
  /** The maximum number of bytes that the clients of one address have not read yet. */
  unreadPerAddress: number;
  /** The minimum rate of clients that send a request body or read a response. */
  minBytesPerSecond: number;
  /** Additional milliseconds for a body. */
  bodyGrace: number;
  /** Additional milliseconds without reading, as of a phone that loses its network. */
  readGrace: number;
}

const defaultLimits: ConnectionLimits = {
  connections: 2_000,
  connectionsPerAddress: 100,
  pipelined: 8,
  unreadPerAddress: 16 * 1024 * 1024,
  minBytesPerSecond: 8 * 1024,
  bodyGrace: 10_000,
  readGrace: 20_000,
};
/** Milliseconds between two checks of all connections. */
const checkInterval = 1_000;

const serverOptions = {
  /** The maximum number of bytes of the request line and all headers. */
  maxHeaderSize: 16 * 1024,
  /** The timeout from the start of the connection to the end of the headers. */
  headersTimeout: 10_000,
  /** The timeout of a request, long enough for the largest upload over a slow connection. */
  requestTimeout: 5 * 60_000,
  /** Longer than proxies keep an idle connection (Caddy two minutes): a request on one that the site closes gets no response. */
  keepAliveTimeout: 130_000,
  connectionsCheckingInterval: 2_000,
};

interface PlainResponse {
  status: number;
  message: string;
}

const parserErrors: Record<string, PlainResponse> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The address or the headers are too long." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};
const malformed = { status: 400, message: "The request could not be understood." };
const tooSlow = { status: 408, message: "The request took too long to arrive." };
const tooMany = { status: 429, message: "Too many connections from your address." };

interface Connection {
  socket: Duplex;
  /** Connections with the same key are counted together. Null: no limit per address. */
  key: string | null;
  requests: Map<ServerResponse, OpenRequest>;
  isUpgraded: boolean;
  /** Bytes sent at the last check. */
  sent: number;
  /** Milliseconds without progress while the client has bytes to read. */
  unreadFor: number;
}

interface OpenRequest {
  request: IncomingMessage;
  /** Bytes that the connection had received when the headers were complete. */
  receivedBefore: number;
  /** Milliseconds spent waiting for the body. */
  waitedFor: number;
}

interface LimitedServerOptions {
  handle: RequestListener;
  /** When false, the request is handled without the upgrade: some clients offer HTTP/2 with their first request. */
  mayUpgrade: (request: IncomingMessage) => boolean;
  /** Maps the peer's address to a key. Null: no limit per address, as behind a proxy. */
  keyOf: ((address: string) => string) | null;
  /** Only tests change them. */
  limits?: Partial<ConnectionLimits>;
}

export function createLimitedServer(options: LimitedServerOptions): Server {
  const { handle, mayUpgrade, keyOf } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const connections = new WeakMap<Duplex, Connection>();
  const byKey = new Map<string | null, Set<Connection>>();
  let total = 0;
  const server = createServer({ ...serverOptions, shouldUpgradeCallback: mayUpgrade }, serve);
  // Includes rejected connections that are still being closed, which `total` does not count.
  server.maxConnections = limits.connections + 100;
  server.on("connection", accept);
  server.on("upgrade", (_request, socket) => {
    const connection = connections.get(socket);
    if (connection) connection.isUpgraded = true;
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    respond(socket, parserErrors[error.code ?? ""] ?? malformed);
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    respond(socket, { status: 405, message: "This server is no proxy." });
  });
  const checking = setInterval(checkProgress, checkInterval);
  checking.unref();
  server.once("close", () => clearInterval(checking));
  return server;

  function accept(socket: Duplex & { remoteAddress?: string }): void {
    const { remoteAddress } = socket;
    const key = remoteAddress && keyOf ? keyOf(remoteAddress) : null;
    if (!makeRoomFor(key)) {
      respond(socket, tooMany);
      return;
    }
    const connection: Connection = {
      socket,
      key,
      requests: new Map(),
      isUpgraded: false,
      sent: 0,
      unreadFor: 0,
    };
    const siblings = byKey.get(key) ?? new Set();
    byKey.set(key, siblings.add(connection));
    connections.set(socket, connection);
    total += 1;
    socket.once("close", () => forget(connection));
  }

  function forget(connection: Connection): void {
    const siblings = byKey.get(connection.key);
    if (!siblings?.delete(connection)) return;
    if (siblings.size === 0) byKey.delete(connection.key);
    total -= 1;
  }

  /** @returns false when the new connection must be rejected. */
  function makeRoomFor(key: string | null): boolean {
    const siblings = byKey.get(key);
    if (key !== null && siblings && siblings.size >= limits.connectionsPerAddress) {
      return closeOne(siblings, isIdle);
    }
    if (total < limits.connections) return true;
    const largest = [...byKey.values()].reduce((a, b) => (b.size > a.size ? b : a));
    return closeOne(largest, isIdle) || (largest !== siblings && closeOne(largest, () => true));
  }

  /** Closes the oldest connection that may be closed. @returns false when there is none. */
  function closeOne(
    candidates: Set<Connection>,
    mayClose: (connection: Connection) => boolean,
  ): boolean {
    for (const connection of candidates) {
      if (!mayClose(connection)) continue;
      forget(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket);
    // The connection was closed after some of its pipelined requests had been parsed.
    if (!connection) return;
    const { requests } = connection;
    if (requests.size >= limits.pipelined) {
      connections.delete(request.socket);
      request.socket.destroy();
      return;
    }
    requests.set(response, { request, receivedBefore: request.socket.bytesRead, waitedFor: 0 });
    response.once("close", () => requests.delete(response));
    handle(request, response);
  }

  function checkProgress(): void {
    for (const [key, siblings] of byKey) {
      let unread = 0;
      for (const connection of siblings) {
        if (isBodyTooSlow(connection) || isReaderTooSlow(connection)) continue;
        unread += unreadBytes(connection);
      }
      if (key !== null && unread > limits.unreadPerAddress) closeMostUnread(siblings, unread);
    }
  }

  function isBodyTooSlow({ socket, requests }: Connection): boolean {
    for (const [response, open] of requests) {
      const { request, receivedBefore } = open;
      if (request.complete) continue;
      // The buffer is full, so the site is slow and not the client.
      if (request.readableLength >= request.readableHighWaterMark) continue;
      open.waitedFor += checkInterval;
      const received = request.socket.bytesRead - receivedBefore;
      if (open.waitedFor <= limits.bodyGrace + (received / limits.minBytesPerSecond) * 1000)
        continue;
      if (response.headersSent) socket.destroy();
      else respond(socket, tooSlow);
      return true;
    }
    return false;
  }

  function isReaderTooSlow(connection: Connection): boolean {
    const { socket } = connection;
    const unread = socket.writableLength;
    const sent = bytesWritten(socket) - unread;
    if (unread === 0 || sent > connection.sent) connection.unreadFor = 0;
    else connection.unreadFor += checkInterval;
    connection.sent = sent;
    if (connection.unreadFor <= limits.readGrace + (unread / limits.minBytesPerSecond) * 1000)
      return false;
    socket.destroy();
    return true;
  }

  function closeMostUnread(siblings: Set<Connection>, unread: number): void {
    let left = unread;
    const largestFirst = [...siblings].toSorted((a, b) => unreadBytes(b) - unreadBytes(a));
    for (const connection of largestFirst) {
      if (left <= limits.unreadPerAddress) return;
      left -= unreadBytes(connection);
      connection.socket.destroy();
    }
  }
}

/** Buffered bytes, of the socket and of pipelined responses that wait for an earlier one. */
function unreadBytes({ socket, requests }: Connection): number {
  let bytes = socket.writableLength;
  for (const response of requests.keys()) if (!response.socket) bytes += response.writableLength;
  return bytes;
}

function isIdle({ requests, isUpgraded }: Connection): boolean {
  return requests.size === 0 && !isUpgraded;
}

/** Includes bytes that are still buffered. */
function bytesWritten(socket: Duplex & { bytesWritten?: number }): number {
  return socket.bytesWritten ?? 0;
}

function respond(socket: Duplex, { status, message }: PlainResponse): void {
  const body = `${message}\n`;
  socket.on("error", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
