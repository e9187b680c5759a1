// One kept answer: compressed once, with the headers that go with it.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gunzip, gunzipSync, gzip } from "node:zlib";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import type { Encoding } from "./accept-encoding.ts";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const uncompressGzip = promisify(gunzip);

/** Names and values in turn, as node:http writes them without looking at them again. */
export type RawHeaders = string[];

export interface StoredPage {
  readonly bytes: number;
  /** A weak validator: the same for every encoding. */
  readonly etag: string;
  /** Whether it was not yet compressed as tightly as possible. */
  readonly loose: boolean;
  /** What says which version this is: all that a 304 needs. */
  readonly validators: RawHeaders;
  body(encoding: Encoding): Buffer<ArrayBuffer>;
  /** Headers of a 200, but for Cache-Control and Cache-Status. */
  headers(encoding: Encoding): RawHeaders;
  /** Takes a few hundred milliseconds of a background thread. */
  tighten(): Promise<void>;
}

/**
 * Keeps an answer of status 200. Its headers stay as they are.
 * @param onResize called when `bytes` has changed
 */
export async function storePage(
  headers: RawHeaders,
  content: Buffer<ArrayBuffer>,
  onResize: () => void = () => {},
): Promise<StoredPage> {
  const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headerOf(headers, "content-type"));
  const hash = createHash("sha256").update(headers.join("\n")).update(content).digest("base64url");
  const etag = `W/"${hash.slice(0, 22)}"`;
  const validators = isText ? ["etag", etag, "vary", "accept-encoding"] : ["etag", etag];
  const bodies = new Map<Encoding, Buffer<ArrayBuffer>>();
  if (isText) {
    const [br, gz] = await Promise.all([
      toBrotli(content, 5),
      compressGzip(content, { level: constants.Z_BEST_COMPRESSION }),
    ]);
    bodies.set("br", br).set("gzip", Buffer.from(gz));
  } else {
    bodies.set("identity", content);
  }
  const headersOf = new Map<Encoding, RawHeaders>();
  let loose = isText;

  const page: StoredPage = {
    get bytes() {
      let bytes = 1000;
      for (const body of bodies.values()) bytes += body.byteLength;
      return bytes;
    },
    etag,
    validators,
    get loose() {
      return loose;
    },
    body(encoding) {
      const body = bodies.get(encoding) ?? bodies.get("identity");
      if (body) return body;
      // Hardly anyone asks for this, but who does asks often: a load test, a monitor.
      const plain = Buffer.from(gunzipSync(bodies.get("gzip") ?? Buffer.alloc(0)));
      bodies.set("identity", plain);
      onResize();
      return plain;
    },
    headers(encoding) {
      let found = headersOf.get(encoding);
      if (!found) {
        found = [...headers, ...validators];
        if (isText && encoding !== "identity") found.push("content-encoding", encoding);
        found.push("content-length", String(page.body(encoding).byteLength));
        headersOf.set(encoding, found);
      }
      return found;
    },
    async tighten() {
      loose = false;
      // From the copy that is kept anyway: holding on to the plain text would cost as much again.
      const plain = await uncompressGzip(bodies.get("gzip") ?? Buffer.alloc(0));
      const tight = await toBrotli(plain, constants.BROTLI_MAX_QUALITY);
      if (tight.byteLength >= page.body("br").byteLength) return;
      bodies.set("br", tight);
      headersOf.delete("br");
      onResize();
    },
  };
  return page;
}

/** Whether an If-None-Match header names the page: the visitor has it already. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const plain = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => plain(tag) === plain(etag));
}

async function toBrotli(content: Buffer, quality: number): Promise<Buffer<ArrayBuffer>> {
  const compressed = await compressBrotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });
  // A copy of its own size: zlib's is a part of something larger.
  return Buffer.from(compressed);
}

function headerOf(headers: RawHeaders, name: string): string {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text === name);
  return (at >= 0 && headers[at + 1]) || "";
}
