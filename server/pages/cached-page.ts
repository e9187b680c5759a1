// A response in the page cache, compressed once and stored with its headers, and the rules for what may be cached.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gzipSync,
} from "node:zlib";
import { type Encoding, isCompressible } from "./compression.ts";

const compressBrotli = promisify(brotliCompress);
const decompressBrotli = promisify(brotliDecompress);

/** The headers as alternating names and values, which node:http writes without checking them again. */
export type RawHeaders = string[];

/** The maximum size of a text that is stored for clients without brotli. Larger ones are made per request. */
const maxPlainBytes = 2 * 1024 * 1024;

export type CachedPage = Awaited<ReturnType<typeof createCachedPage>>;

/**
 * @param headers of the response with status 200, sent unchanged
 * @param onResize called when `bytes` has changed
 */
export async function createCachedPage(
  headers: RawHeaders,
  content: Buffer<ArrayBuffer>,
  onResize: () => void = () => {},
) {
  const isText = isCompressible(headerOf(headers, "content-type"));
  const hash = createHash("sha256").update(headers.join("\n")).update(content).digest("base64url");
  const etag = `W/"${hash.slice(0, 22)}"`;
  const validators = isText ? ["etag", etag, "vary", "accept-encoding"] : ["etag", etag];
  const bodies = new Map<Encoding, Buffer<ArrayBuffer>>();
  if (isText) bodies.set("br", await toBrotli(content, 5));
  else bodies.set("identity", content);
  const headersByEncoding = new Map<Encoding, RawHeaders>();
  let canRecompress = isText;

  const page = {
    /** The parameter of `createCachedPage`. */
    ownHeaders: headers,
    isText,
    /** The approximate memory in bytes. */
    get bytes(): number {
      let bytes = 1000;
      for (const body of bodies.values()) bytes += body.byteLength;
      return bytes;
    },
    /** A weak validator, the same for every encoding. */
    etag,
    /** The headers of a 304, without Cache-Control and Cache-Status. */
    validators,
    /** Whether `recompress` can still make the page smaller. */
    get canRecompress(): boolean {
      return canRecompress;
    },
    body(encoding: Encoding): Buffer<ArrayBuffer> {
      const body = bodies.get(isText ? encoding : "identity");
      if (body) return body;
      // Such requests are rare, but a client without brotli (a load test, a monitor) usually repeats them.
      const plain = brotliDecompressSync(page.body("br"));
      const made = Buffer.from(encoding === "gzip" ? gzipSync(plain) : plain);
      if (made.byteLength <= maxPlainBytes) {
        bodies.set(encoding, made);
        onResize();
      }
      return made;
    },
    /** The headers of a 200, without Cache-Control and Cache-Status. */
    headers(encoding: Encoding): RawHeaders {
      let found = headersByEncoding.get(encoding);
      if (!found) {
        found = [...headers, ...validators];
        if (isText && encoding !== "identity") found.push("content-encoding", encoding);
        found.push("content-length", String(page.body(encoding).byteLength));
        headersByEncoding.set(encoding, found);
      }
      return found;
    },
    /** Compresses at the best quality: takes a few hundred milliseconds of a background thread. */
    async recompress(): Promise<void> {
      canRecompress = false;
      // Decompresses the cached body, because keeping the plain text would double the memory.
      const plain = await decompressBrotli(page.body("br"));
      const smallest = await toBrotli(plain, constants.BROTLI_MAX_QUALITY);
      if (smallest.byteLength >= page.body("br").byteLength) return;
      bodies.set("br", smallest);
      headersByEncoding.delete("br");
      onResize();
    },
  };
  return page;
}

async function toBrotli(content: Buffer, quality: number): Promise<Buffer<ArrayBuffer>> {
  const compressed = await compressBrotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });
  // Copied, because zlib returns a slice of a larger buffer, which would stay in memory.
  return Buffer.from(compressed);
}

function headerOf(headers: RawHeaders, name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text === name);
  return at < 0 ? undefined : headers[at + 1];
}

/**
 * Browsers revalidate on every visit and mostly get a 304. A shared cache in front may serve a page for one
 * minute, and a stale one for ten more minutes while it revalidates.
 */
export const pageCacheControl =
  "public, max-age=0, must-revalidate, s-maxage=60, stale-while-revalidate=600, stale-if-error=86400";
/** The Cache-Control of pages that become outdated when the day ends: no shared cache may serve them stale. */
export const lastDayCacheControl = "public, max-age=0, must-revalidate, s-maxage=60";
/** The Cache-Control of stale pages, which must not stay in a shared cache for long. */
export const staleCacheControl = "public, max-age=0, must-revalidate, s-maxage=5";

/** Whether a response is the same HTML page for every visitor, or its route asks for caching with `s-maxage`. */
export function isCacheable({ status, headers }: Response): boolean {
  if (status !== 200 || headers.has("set-cookie")) return false;
  if (!/^(accept-encoding)?$/i.test(headers.get("vary") ?? "")) return false;
  return headers.has("cache-control")
    ? asksForCaching(headers)
    : (headers.get("content-type") ?? "").startsWith("text/html");
}

/** Forbids all caching of a page whose route asked for it and which could not be cached. Keeps other Cache-Control headers. */
export function forbidCaching(headers: Headers): void {
  if (asksForCaching(headers) || !headers.has("cache-control")) {
    headers.set("cache-control", "private, no-cache");
  }
}

function asksForCaching(headers: Headers): boolean {
  const cacheControl = headers.get("cache-control") ?? "";
  return (
    /\bs-maxage=[1-9]/.test(cacheControl) && !/\b(private|no-store|no-cache)\b/.test(cacheControl)
  );
}
