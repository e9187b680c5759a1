// How long and how much a connection may ask before a request is even read.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";

const bounds = {
  /** Bytes of the request line and all headers. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds for them to arrive. */
  headersTimeout: 15_000,
  /** Milliseconds for the whole request: 50 MB over a slow line. */
  requestTimeout: 5 * 60_000,
  connectionsCheckingInterval: 5_000,
};
const mostConnections = 2_000;

const answers: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The address or the headers are too long." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};
const malformed = { status: 400, message: "The request could not be understood." };

/**
 * An HTTP server that gives up on slow and oversized requests with a plain answer.
 * @param mayUpgrade what it says no to is answered as if no upgrade had been asked for: some clients
 * offer HTTP/2 with every first request.
 */
export function createBoundedServer(
  handle: RequestListener,
  mayUpgrade: (request: IncomingMessage) => boolean,
): Server {
  const server = createServer({ ...bounds, shouldUpgradeCallback: mayUpgrade }, handle);
  server.maxConnections = mostConnections;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    answer(socket, answers[error.code ?? ""] ?? malformed);
  });
  // A tunnel through this server is never opened.
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    answer(socket, { status: 405, message: "This server is no proxy." });
  });
  return server;
}

function answer(socket: Duplex, { status, message }: { status: number; message: string }): void {
  const body = `${message}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
