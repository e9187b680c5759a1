// Content encodings: which one a request accepts, and compression of responses that are not cached.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";

export type Encoding = "br" | "gzip" | "identity";

/** The minimum size: the headers of a compressed response cost more than compressing fewer bytes saves. */
const minBytes = 1000;
/** Fast compression, because the result is sent once. Cached pages are compressed better (cached-page.ts). */
const quality = { br: 3, gzip: 4 };
/** The number of cached results per header. Browsers send few different values; the limit is for invented ones. */
const known = new Map<string, Encoding>();
const maxKnown = 100;

/**
 * The smallest encoding that an Accept-Encoding header allows, whatever weight the client gives it.
 * 2026-11-22: `negotiator` is not used because it ranks by the client's weights.
 */
export function chooseEncoding(header: string | undefined): Encoding {
  if (!header) return "identity";
  let encoding = known.get(header);
  if (!encoding) {
    const weights = new Map(parseAccept(header).map(({ type, q }) => [type.toLowerCase(), q]));
    const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
    encoding = (["br", "gzip"] as const).find((name) => weightOf(name) > 0) ?? "identity";
    if (known.size < maxKnown) known.set(header, encoding);
  }
  return encoding;
}

export function isCompressible(contentType: string | null | undefined): boolean {
  return COMPRESSIBLE_CONTENT_TYPE_REGEX.test(contentType ?? "");
}

/**
 * Compresses a response that is sent once, synchronously and in one piece: a stream (as in Hono's `compress`)
 * or a background thread would cost more than the compression.
 * @param acceptEncoding the header of the request
 */
export async function compressResponse(
  response: Response,
  acceptEncoding: string | undefined,
): Promise<Response> {
  const { status, statusText, headers } = response;
  if (!response.body || !isCompressible(headers.get("content-type"))) return response;
  if (headers.has("content-encoding")) return response;
  headers.append("vary", "accept-encoding");
  const encoding = chooseEncoding(acceptEncoding);
  if (encoding === "identity") return response;
  const content = Buffer.from(await response.arrayBuffer());
  if (content.byteLength < minBytes) return new Response(content, { status, statusText, headers });
  const body =
    encoding === "br"
      ? brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality.br } })
      : gzipSync(content, { level: quality.gzip });
  headers.set("content-encoding", encoding);
  headers.delete("content-length");
  return new Response(body, { status, statusText, headers });
}
