// Limits on connections: how long each may take, and how many one address may hold.
// A client is disconnected when its headers, its body or its reading of the response makes too little progress.
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
  /** Connections in all. At this number one of the address that holds most is closed for each new one. */
  connections: number;
  /** Connections of one address. Idle ones are closed before a new one is refused. */
  connectionsPerAddress: number;
  /** Requests of one connection without a complete response. Browsers send one after the other. */
  pipelined: number;
  /** Bytes that the clients of one address have not read yet. */
  unreadPerAddress: number;
  /** Bytes per second below which a client sends a body, or reads a response, too slowly. */
  slowest: number;
  /** Milliseconds that a body may take in addition. */
  bodyGrace: number;
  /** Milliseconds for which a client may stop reading in addition: a phone loses its network for a moment. */
  readGrace: number;
}

const limits: ConnectionLimits = {
  connections: 2_000,
  connectionsPerAddress: 100,
  pipelined: 8,
  unreadPerAddress: 16 * 1024 * 1024,
  slowest: 8 * 1024,
  bodyGrace: 10_000,
  readGrace: 20_000,
};
/** How often progress is checked, in milliseconds. */
const checkInterval = 1_000;

const timeouts = {
  /** Bytes of the request line and all headers. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds for them to arrive, also on a connection that has sent nothing yet. */
  headersTimeout: 10_000,
  /** Milliseconds for the whole request: the largest upload over a slow line. */
  requestTimeout: 5 * 60_000,
  /** Milliseconds that a connection is kept open for the next request. */
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
};

interface PlainAnswer {
  status: number;
  message: string;
}

const answers: Record<string, PlainAnswer> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The address or the headers are too long." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};
const malformed = { status: 400, message: "The request could not be understood." };
const tooSlow = { status: 408, message: "The request took too long to arrive." };
const tooMany = { status: 429, message: "Too many connections from your address." };

interface Connection {
  socket: Duplex;
  /** Whose connections are counted together; null for the site's own, which nothing limits. */
  key: string | null;
  requests: Map<ServerResponse, OpenRequest>;
  isUpgraded: boolean;
  /** Bytes that had been sent when progress was last seen, and how long there has been none. */
  sent: number;
  unreadFor: number;
}

interface OpenRequest {
  request: IncomingMessage;
  /** What the connection had received when the headers were complete. */
  receivedBefore: number;
  /** Milliseconds that the client was waited for. */
  waitedFor: number;
}

export interface BoundedServerOptions {
  handle: RequestListener;
  /** A refused upgrade is answered as a plain request: some clients offer HTTP/2 with every first request. */
  mayUpgrade: (request: IncomingMessage) => boolean;
  /**
   * Whose connections are counted together, from the address of the peer; null for no limit per
   * address, as behind a proxy, where all connections are the proxy's.
   */
  keyOf: ((address: string) => string) | null;
  /** Only tests change them. */
  limits?: Partial<ConnectionLimits>;
}

/** An HTTP server that disconnects slow clients and shares its connections between addresses. */
export function createBoundedServer(options: BoundedServerOptions): Server {
  const { handle, mayUpgrade, keyOf } = options;
  const bounds = { ...limits, ...options.limits };
  const connections = new WeakMap<Duplex, Connection>();
  const byKey = new Map<string | null, Set<Connection>>();
  let total = 0;
  const server = createServer({ ...timeouts, shouldUpgradeCallback: mayUpgrade }, serve);
  // Only a last resort: `admit` makes room before it is reached.
  server.maxConnections = bounds.connections + 100;
  server.on("connection", admit);
  server.on("upgrade", (_request, socket) => {
    const connection = connections.get(socket);
    if (connection) connection.isUpgraded = true;
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    answer(socket, answers[error.code ?? ""] ?? malformed);
  });
  // A tunnel through this server is never opened.
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    answer(socket, { status: 405, message: "This server is no proxy." });
  });
  const checking = setInterval(checkProgress, checkInterval);
  checking.unref();
  server.once("close", () => clearInterval(checking));
  return server;

  function admit(socket: Duplex & { remoteAddress?: string }): void {
    // A socket without an address is the site's own (local-connection.ts).
    const { remoteAddress } = socket;
    const key = remoteAddress && keyOf ? keyOf(remoteAddress) : null;
    if (!makeRoomFor(key)) {
      answer(socket, tooMany);
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

  /** @returns false when the new connection has to be refused. */
  function makeRoomFor(key: string | null): boolean {
    const siblings = byKey.get(key);
    if (key !== null && siblings && siblings.size >= bounds.connectionsPerAddress) {
      return closeOne(siblings, isIdle);
    }
    if (total < bounds.connections) return true;
    const largest = [...byKey.values()].reduce((a, b) => (b.size > a.size ? b : a));
    return closeOne(largest, isIdle) || (largest !== siblings && closeOne(largest, () => true));
  }

  /** The oldest that may be closed. */
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
    // Closed, but some requests of it had been received.
    if (!connection) return;
    const { requests } = connection;
    if (requests.size >= bounds.pipelined) {
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
      if (key !== null && unread > bounds.unreadPerAddress) closeMostUnread(siblings, unread);
    }
  }

  function isBodyTooSlow({ socket, requests }: Connection): boolean {
    for (const [response, open] of requests) {
      const { request, receivedBefore } = open;
      if (request.complete) continue;
      // A full buffer waits for us, not for the client.
      if (request.readableLength >= request.readableHighWaterMark) continue;
      open.waitedFor += checkInterval;
      const received = request.socket.bytesRead - receivedBefore;
      if (open.waitedFor <= bounds.bodyGrace + (received / bounds.slowest) * 1000) continue;
      if (response.headersSent) socket.destroy();
      else answer(socket, tooSlow);
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
    if (connection.unreadFor <= bounds.readGrace + (unread / bounds.slowest) * 1000) return false;
    socket.destroy();
    return true;
  }

  function closeMostUnread(siblings: Set<Connection>, unread: number): void {
    let left = unread;
    const largestFirst = [...siblings].toSorted((a, b) => unreadBytes(b) - unreadBytes(a));
    for (const connection of largestFirst) {
      if (left <= bounds.unreadPerAddress) return;
      left -= unreadBytes(connection);
      connection.socket.destroy();
    }
  }
}

/** What waits in this process, on the socket and in responses that are not yet their connection's turn. */
function unreadBytes({ socket, requests }: Connection): number {
  let bytes = socket.writableLength;
  for (const response of requests.keys()) if (!response.socket) bytes += response.writableLength;
  return bytes;
}

function isIdle({ requests, isUpgraded }: Connection): boolean {
  return requests.size === 0 && !isUpgraded;
}

/** Written by the site, whether sent already or not. */
function bytesWritten(socket: Duplex & { bytesWritten?: number }): number {
  return socket.bytesWritten ?? 0;
}

function answer(socket: Duplex, { status, message }: PlainAnswer): void {
  const body = `${message}\n`;
  socket.on("error", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
