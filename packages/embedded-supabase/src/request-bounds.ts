// Bounds each request before anything parses it.
// Covers: length of the URL; size, time, encoding and JSON depth of bodies. Does not cover: uploads, which Storage streams
// and counts; lengths of single fields, which CHECKs of the database limit.
import { HttpError } from "./errors.ts";

const KILOBYTE = 1024;
/** A post may have 500 kB of content. */
const MAX_BODY = 1024 * KILOBYTE;
const MAX_SMALL_BODY = 64 * KILOBYTE;

/** The largest body per service, and how long it may take to arrive. */
const BODIES = [
  { paths: /^\/rest\/v1\//, bytes: MAX_BODY, seconds: 60 },
  { paths: /^\/(auth|functions)\/v1\//, bytes: MAX_SMALL_BODY, seconds: 20 },
  // Requests that move and remove files. An upload names a bucket and a file.
  { paths: /^\/storage\/v1\/object\/[^/]+$/, bytes: MAX_BODY, seconds: 60 },
];
/** How much of a rejected body is read and discarded: a client that is cut off while it sends gets no 413. */
const MAX_DISCARDED = 8 * 1024 * KILOBYTE;
const MAX_JSON_DEPTH = 64;
const MAX_URL_LENGTH = 8 * KILOBYTE;

/**
 * Returns the same request with its body in memory.
 * @throws HttpError when it exceeds a bound
 */
export async function boundRequest(request: Request): Promise<Request> {
  if (request.url.length > MAX_URL_LENGTH) {
    throw new HttpError(414, "address_too_long", "The address of the request is too long.");
  }
  // Valid names and values contain no NUL, and PostgreSQL's protocol ends a string at it.
  if (/%00/.test(request.url)) {
    throw new HttpError(400, "null_character", "The address has a null character.");
  }
  const { pathname } = new URL(request.url);
  const bound = BODIES.find(({ paths }) => paths.test(pathname));
  if (!bound || !request.body) return request;

  const body = await readBody(request.body, Number(request.headers.get("content-length")), bound);
  const text = decodeUtf8(body);
  if (text === null) throw new HttpError(400, "not_utf8", "The request is not valid UTF-8.");
  if (depthOfJson(text) > MAX_JSON_DEPTH) {
    const message = `The JSON is nested more than ${MAX_JSON_DEPTH} levels deep.`;
    throw new HttpError(400, "too_deep", message);
  }
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal, body: body.length > 0 ? body : null });
}

async function readBody(
  body: ReadableStream<Uint8Array>,
  declaredLength: number,
  { bytes, seconds }: { bytes: number; seconds: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const close = { connection: "close" };
  const tooLarge = (headers = {}) => {
    const size = bytes >= MAX_BODY ? "1 MB" : `${bytes / KILOBYTE} kB`;
    return new HttpError(
      413,
      "too_long",
      `That is too long: at most ${size} can be sent.`,
      headers,
    );
  };
  if (declaredLength > MAX_DISCARDED) throw tooLarge(close);

  const reader = body.getReader();
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(late.resolve, seconds * 1000, "late");
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const chunk = await Promise.race([reader.read(), late.promise]).catch(
        () => "cut off" as const,
      );
      if (chunk === "late") {
        throw new HttpError(408, "too_slow", "The request took too long to arrive.", close);
      }
      if (chunk === "cut off") throw new HttpError(400, "cut_off", "The request was cut off.");
      if (chunk.done) {
        if (size > bytes) throw tooLarge();
        return Buffer.concat(chunks);
      }
      size += chunk.value.length;
      if (size > MAX_DISCARDED) throw tooLarge(close);
      if (size <= bytes) chunks.push(chunk.value);
    }
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

/**
 * How deep brackets are nested in a text that may be JSON, without those inside strings. Does not parse the text, because a
 * parser recurses into the nesting that this limits.
 */
export function depthOfJson(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}
