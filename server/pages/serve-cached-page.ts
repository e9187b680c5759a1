import type { IncomingMessage, ServerResponse } from "node:http";
import { chooseEncoding } from "./accept-encoding.ts";
import type { PageCache } from "./page-cache.ts";
import { matchesEtag } from "./cached-page.ts";

/**
 * Answers with a kept page, before anything else looks at the request.
 * @returns false when nothing is kept for it, and nothing was sent.
 */
export function sendKeptPage(
  pages: Pick<PageCache, "find">,
  { method, url = "", headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const kept = pages.find(url);
  if (!kept) return false;
  const { page, cacheControl, cacheStatus } = kept;
  const own = ["cache-control", cacheControl, "cache-status", cacheStatus];
  if (matchesEtag(headers["if-none-match"], page.etag)) {
    response.writeHead(304, [...page.validators, ...own]).end();
    return true;
  }
  const encoding = chooseEncoding(headers["accept-encoding"]?.toString());
  response.writeHead(200, [...page.headers(encoding), ...own]);
  response.end(method === "HEAD" ? undefined : page.body(encoding));
  return true;
}
