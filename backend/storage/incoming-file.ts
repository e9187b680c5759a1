// Reads request bodies in chunks: the one file of an upload, as storage-js or an XMLHttpRequest sends it.
// Covers: multipart (Blob, File, FormData) and raw bodies. Does not cover: custom metadata.
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { invalidRequest, StorageError } from "./storage-error.ts";

export interface IncomingFile<Received> {
  received: Received;
  /** Lower case, without parameters. */
  contentType: string;
  cacheControl: string;
}

type Receive<Received> = (contentType: string, content: AsyncIterable<Buffer>) => Promise<Received>;

/** Calls `receive` once, with the file's content as it arrives. */
export async function readIncomingFile<Received>(
  request: Request,
  receive: Receive<Received>,
): Promise<IncomingFile<Received>> {
  const header = request.headers.get("content-type") ?? "";
  if (/^multipart\/form-data\b/i.test(header)) return readForm(request, header, receive);
  const contentType = normalizeType(header);
  const received = await receive(contentType, chunksOf(request.body));
  const cacheControl = validCacheControl(request.headers.get("cache-control"));
  return { received, contentType, cacheControl };
}

async function readForm<Received>(
  request: Request,
  header: string,
  receive: Receive<Received>,
): Promise<IncomingFile<Received>> {
  let content: Readable | null = null;
  let contentType = "";
  let receiving: Promise<Received> | null = null;
  let partError: unknown;
  let receiveError: unknown;
  let seconds: string | null = null;

  try {
    const parser = new Busboy({
      headers: { "content-type": header },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      limits: { parts: 20, headerSize: 8 * 1024, fieldSize: 1000 },
    });
    parser.on("file", (_name, part, _filename, _encoding, type) => {
      // Without a listener, an error of the abandoned stream would end the process.
      part.on("error", (error) => {
        partError = error;
      });
      if (receiving) {
        parser.destroy(invalidRequest("Send one file per request"));
        return;
      }
      content = part;
      contentType = normalizeType(type);
      receiving = receive(contentType, part);
      receiving.catch((error) => {
        receiveError = error;
        parser.destroy(error);
      });
    });
    parser.on("field", (name, value) => {
      if (name === "cacheControl") seconds = value;
    });
    parser.on("partsLimit", () => parser.destroy(malformed()));
    parser.on("error", () => {});
    await pipeline(chunksOf(request.body), parser);
    if (!receiving) throw invalidRequest("No file provided");
    const cacheControl = validCacheControl(seconds && `max-age=${seconds}`);
    return { received: await receiving, contentType, cacheControl };
  } catch (error) {
    // Wait until `receive` has ended, so that the caller can remove what it wrote.
    destroy(content, error);
    await Promise.allSettled([receiving]);
    // `receive` also fails with the error of a part that is cut off, which is the client's fault.
    const isOurs = error === receiveError && error !== partError;
    throw error instanceof StorageError || isOurs ? error : malformed();
  }
}

function destroy(content: Readable | null, error: unknown): void {
  content?.destroy(error instanceof Error ? error : undefined);
}

function malformed(): StorageError {
  return invalidRequest("The multipart body is malformed or was cut off");
}

function normalizeType(header: string | undefined): string {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream";
}

/** Responses send the value as a header, so it must be a valid one. */
function validCacheControl(value: string | null): string {
  return value && /^[\w ,=-]{1,100}$/.test(value) ? value : "no-cache";
}

/** Ending the iteration early leaves the rest of the body for `discard`. */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Buffer> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => {
        throw invalidRequest("The request was cut off");
      });
      if (done) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    reader.releaseLock();
  }
}

/** Throws the error of `onExcess` after more than `maxBytes` bytes. */
export async function* limited(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  onExcess: () => Error,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw onExcess();
    yield chunk;
  }
}

/** Calls `check` with the first `length` bytes, or with all when there are fewer, before yielding them. */
export async function* withCheckedHead(
  chunks: AsyncIterable<Buffer>,
  length: number,
  check: (head: Buffer) => void,
): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < length) continue;
    check(head.subarray(0, length));
    yield head;
    head = null;
  }
  if (!head) return;
  check(head);
  yield head;
}

/**
 * Reads the rest of a rejected body, because a browser that is still sending reports a broken connection instead of
 * reading the response. Gives up after 128 MB.
 */
export async function discard(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body || body.locked) return;
  let left = 128 * 1024 * 1024;
  try {
    for await (const chunk of chunksOf(body)) {
      left -= chunk.length;
      if (left < 0) return;
    }
  } catch {
    // The client disconnected and reads no response.
  }
}
