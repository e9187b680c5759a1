import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import { chooseEncoding } from "./accept-encoding.ts";

/** Below it, in bytes, a compressed answer saves less than the headers that say so. */
const smallest = 1000;
/** Quick rather than tight: it is sent once. What is kept is compressed better. */
const quality = { br: 3, gzip: 4 };

/**
 * Compresses an answer that is made for one request alone, at once and in one piece. A stream, as
 * Hono's own `compress` makes of it, or a background thread would cost more than the compressing.
 * @param acceptEncoding the request's header
 */
export async function compressAnswer(
  answer: Response,
  acceptEncoding: string | undefined,
): Promise<Response> {
  const { status, statusText, headers } = answer;
  const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "");
  if (!answer.body || !isText || headers.has("content-encoding")) return answer;
  headers.append("vary", "accept-encoding");
  const encoding = chooseEncoding(acceptEncoding);
  if (encoding === "identity") return answer;
  const content = Buffer.from(await answer.arrayBuffer());
  if (content.byteLength < smallest) return new Response(content, { status, statusText, headers });
  const body =
    encoding === "br"
      ? brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality.br } })
      : gzipSync(content, { level: quality.gzip });
  headers.set("content-encoding", encoding);
  headers.delete("content-length");
  return new Response(body, { status, statusText, headers });
}
