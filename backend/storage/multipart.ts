// Reads multipart/form-data one chunk at a time, so that a large file is never held in memory.
// Covers: what browsers and Node send for FormData (RFC 7578). Does not cover: nested multipart,
// transfer encodings.
import { invalidRequest } from "./storage-error.ts";

export interface Part {
  name: string;
  /** Null for a plain field. */
  filename: string | null;
  contentType: string | null;
  /** To be read to its end before the next part is asked for, or left alone. */
  content: AsyncIterable<Buffer>;
}

const lineBreak = Buffer.from("\r\n");
const headersEnd = Buffer.from("\r\n\r\n");
const longestHeaders = 8 * 1024;
const mostParts = 20;

export function boundaryOf(contentType: string): string | null {
  const match = contentType.match(
    /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i,
  );
  const boundary = match?.[1] ?? match?.[2] ?? null;
  return boundary && boundary.length <= 200 ? boundary : null;
}

export async function* readParts(
  chunks: AsyncGenerator<Buffer>,
  boundary: string,
): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter may open the body: with this line break it looks like all the others.
  let pending: Buffer = lineBreak;

  try {
    await skip(until(delimiter));
    for (let count = 0; ; count += 1) {
      const next = await take(2);
      if (next.equals(Buffer.from("--"))) return;
      if (!next.equals(lineBreak) || count === mostParts) throw malformed();
      const headers = await readHeaders();
      const content = until(delimiter);
      yield { ...headers, content };
      // Content that the caller left alone stands before the next delimiter.
      await skip(content);
    }
  } finally {
    await chunks.return(undefined);
  }

  /** Adds a chunk to `pending`. The body must not end before its closing delimiter. */
  async function more(): Promise<void> {
    const { value, done } = await chunks.next();
    if (done) throw malformed();
    pending = pending.length === 0 ? value : Buffer.concat([pending, value]);
  }

  async function take(length: number): Promise<Buffer> {
    while (pending.length < length) await more();
    const taken = pending.subarray(0, length);
    pending = pending.subarray(length);
    return taken;
  }

  /** Yields the bytes before `mark` and consumes the mark. */
  async function* until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = pending.indexOf(mark);
      // Without the mark, the last bytes may still be its beginning: they wait for the next chunk.
      const ready = at >= 0 ? at : Math.max(0, pending.length - mark.length + 1);
      const bytes = pending.subarray(0, ready);
      pending = pending.subarray(at >= 0 ? at + mark.length : ready);
      if (bytes.length > 0) yield bytes;
      if (at >= 0) return;
      await more();
    }
  }

  async function readHeaders(): Promise<Omit<Part, "content">> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of until(headersEnd)) {
      size += piece.length;
      if (size > longestHeaders) throw malformed();
      pieces.push(piece);
    }
    return parseHeaders(Buffer.concat(pieces).toString("utf8"));
  }
}

function parseHeaders(text: string): Omit<Part, "content"> {
  const headers = new Map(
    text.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const disposition = headers.get("content-disposition") ?? "";
  const name = disposition.match(/;\s*name="([^"]*)"/i)?.[1];
  if (!/^form-data\b/i.test(disposition) || name === undefined) throw malformed();
  return {
    name,
    filename: disposition.match(/;\s*filename="([^"]*)"/i)?.[1] ?? null,
    contentType: headers.get("content-type") ?? null,
  };
}

async function skip(content: AsyncGenerator<Buffer>): Promise<void> {
  for await (const _ of content);
}

function malformed(): Error {
  return invalidRequest("The multipart body is malformed or was cut off");
}
