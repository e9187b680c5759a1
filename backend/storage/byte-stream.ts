// Small steps over the bytes of a request body, one chunk in memory at a time.
import { invalidRequest } from "./storage-error.ts";

/** The chunks of a body. Stopping early leaves the body readable for `discard`. */
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

/** Passes chunks on until there are more than `limit` bytes, then throws what `onExcess` makes. */
export async function* limited(
  chunks: AsyncIterable<Buffer>,
  limit: number,
  onExcess: () => Error,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw onExcess();
    yield chunk;
  }
}

/** Passes chunks on after `check` has seen the first `length` bytes (fewer when there are no more). */
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
 * Reads what is left of a refused body. A browser that is still sending would otherwise see a broken
 * connection instead of the answer. Bounded: whoever sends more than this gets the broken connection.
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
    // The sender is gone: nobody waits for the answer.
  }
}
