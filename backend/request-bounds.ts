// Bounds what a request may send before anything parses it.
// Covers: size, time, encoding and JSON depth of the bodies of REST, Auth and Functions. Does not cover:
// storage, which streams and counts by itself; lengths of single fields, which are CHECKs.
import { clientError } from "./errors.ts";
import { depthOfJson } from "./json-depth.ts";

const kilobyte = 1024;

/** The largest body by service, and how long it may take to arrive. A post may have 500 kB of content. */
const bodies = [
  { prefix: "/rest/v1/", bytes: 1024 * kilobyte, seconds: 60 },
  { prefix: "/auth/v1/", bytes: 64 * kilobyte, seconds: 20 },
  { prefix: "/functions/v1/", bytes: 64 * kilobyte, seconds: 20 },
];
/** A sender who is refused in the middle would see a broken connection: this much is still taken. */
const largestRefused = 8 * 1024 * kilobyte;
const deepestJson = 64;
const longestAddress = 8 * kilobyte;

/** The same request with its body in memory, or the answer to one that goes too far. */
export async function boundRequest(request: Request): Promise<Request | Response> {
  const { pathname } = new URL(request.url);
  const refuse = (status: number, code: string, message: string, headers = {}) =>
    clientError(pathname, status, code, message, headers);

  if (request.url.length > longestAddress) {
    return refuse(414, "address_too_long", "The address of the request is too long.");
  }
  // No name or value of ours has one, and PostgreSQL's protocol ends a text there.
  if (/%00/.test(request.url)) {
    return refuse(400, "null_character", "The address has a null character.");
  }
  const bound = bodies.find(({ prefix }) => pathname.startsWith(prefix));
  if (!bound || !request.body) return request;
  const { bytes: largest, seconds } = bound;

  const announced = Number(request.headers.get("content-length"));
  const body =
    announced > largestRefused ? "endless" : await readBody(request.body, largest, seconds);
  if (body === "too large" || body === "endless") {
    const size = largest >= 1024 * kilobyte ? "1 MB" : `${largest / kilobyte} kB`;
    const message = `That is too long: at most ${size} can be sent.`;
    return refuse(413, "too_long", message, body === "endless" ? { connection: "close" } : {});
  }
  if (body === "too slow") {
    return refuse(408, "too_slow", "The request took too long to arrive.", { connection: "close" });
  }
  if (body === "cut off") return refuse(400, "cut_off", "The request was cut off.");

  const text = decodeUtf8(body);
  if (text === null) return refuse(400, "not_utf8", "The request is not valid UTF-8.");
  if (depthOfJson(text) > deepestJson) {
    return refuse(400, "too_deep", `The JSON is nested more than ${deepestJson} levels deep.`);
  }
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal, body: body.length > 0 ? body : null });
}

type Unreadable = "too large" | "endless" | "too slow" | "cut off";

async function readBody(
  body: ReadableStream<Uint8Array>,
  largest: number,
  seconds: number,
): Promise<Uint8Array<ArrayBuffer> | Unreadable> {
  const reader = body.getReader();
  const late = Promise.withResolvers<"too slow">();
  const timer = setTimeout(late.resolve, seconds * 1000, "too slow");
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const piece = await Promise.race([reader.read(), late.promise]);
      if (piece === "too slow") return piece;
      if (piece.done) return size > largest ? "too large" : Buffer.concat(pieces);
      size += piece.value.length;
      if (size > largestRefused) return "endless";
      if (size <= largest) pieces.push(piece.value);
    }
  } catch {
    return "cut off";
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
