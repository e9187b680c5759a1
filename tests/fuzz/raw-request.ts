// Sends raw bytes. A client library would correct or reject the malformed requests of the fuzz run.
import { connect } from "node:net";

export interface RawRequest {
  method: string;
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
  /** Bytes that are sent after the response to an upgrade. */
  frames?: string;
}

export interface RawResponse {
  /** Null when the connection ended without a response. */
  status: number | null;
  /** Whether the request was shorter than declared, so that this side closed the connection. */
  isCutShort: boolean;
  text: string;
}

/**
 * Characters U+0000 to U+00FF are sent as one byte each, all others as UTF-8. @throws when nothing
 * arrived within `timeout` milliseconds.
 */
export function sendRaw(port: number, request: RawRequest, timeout = 30_000): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let framesSent = false;
    let isCutShort = false;
    let quiet: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No response within ${timeout} ms`));
    }, timeout);
    // The request declared more than it sent: the server rightly waits until this side closes.
    const giveUp = setTimeout(() => {
      isCutShort = declaresMore(request);
      if (isCutShort && !finalStatus(text)) socket.destroy();
    }, 500);
    socket.on("connect", () => socket.write(bytesOf(request)));
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
      const status = finalStatus(text);
      if (!status) return;
      if (status === 101 && request.frames !== undefined && !framesSent) {
        framesSent = true;
        socket.end(toBytes(request.frames));
      }
      // A rejected upgrade leaves the connection open for more requests.
      clearTimeout(quiet);
      if (status !== 101 && !requestsClose(request))
        quiet = setTimeout(() => socket.destroy(), 100);
    });
    // A reset after a full response is not a failure: the server may reject a half-sent request.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      clearTimeout(giveUp);
      clearTimeout(quiet);
      resolve({ status: finalStatus(text), isCutShort, text });
    });
  });
}

/** Skips "100 Continue". */
function finalStatus(text: string): number | null {
  const status = text.match(/^(?:HTTP\/1\.1 100 .*\r\n\r\n)*HTTP\/1\.1 (\d{3}) /)?.[1];
  return status && status !== "100" ? Number(status) : null;
}

function requestsClose({ headers }: RawRequest): boolean {
  return !headers.some(([name]) => name.toLowerCase() === "connection");
}

function declaresMore({ headers }: RawRequest): boolean {
  return headers.some(([name]) => /^(content-length|transfer-encoding|expect)$/i.test(name));
}

function bytesOf({ method, path, headers, body }: RawRequest): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const content = toBytes(body);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  if (!names.has("host")) lines.push("Host: 127.0.0.1\r\n");
  if (!names.has("connection")) lines.push("Connection: close\r\n");
  const hasLength = names.has("content-length") || names.has("transfer-encoding");
  if (content.length > 0 && !hasLength) lines.push(`Content-Length: ${content.length}\r\n`);
  return Buffer.concat([toBytes(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), content]);
}

function toBytes(text: string): Buffer {
  return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, "latin1") : Buffer.from(text, "utf8");
}
