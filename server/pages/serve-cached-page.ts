// Sends a cached page: straight through node:http on the fast path, or as a Response.
import type { IncomingMessage, ServerResponse } from "node:http";
import fresh from "fresh";
import type { CachedPage, RawHeaders } from "./cached-page.ts";
import { chooseEncoding } from "./compression.ts";

export interface CacheHit {
  page: CachedPage;
  cacheControl: string;
  cacheStatus: string;
}

/**
 * Sends the cached page for a GET or HEAD request before any other code handles the request.
 * @returns false, and sends nothing, when no usable page is cached.
 */
export function serveCachedPage(
  pages: { find(target: string): CacheHit | null },
  { method, url = "", headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const hit = pages.find(url);
  if (!hit) return false;
  const { page, cacheControl, cacheStatus } = hit;
  const cacheHeaders = ["cache-control", cacheControl, "cache-status", cacheStatus];
  if (isNotModified(headers["if-none-match"], page)) {
    response.writeHead(304, [...page.validators, ...cacheHeaders]).end();
    return true;
  }
  const encoding = chooseEncoding(headers["accept-encoding"]?.toString());
  response.writeHead(200, [...page.headers(encoding), ...cacheHeaders]);
  response.end(method === "HEAD" ? undefined : page.body(encoding));
  return true;
}

export function toResponse(
  { page, cacheControl, cacheStatus }: CacheHit,
  { method, headers: requestHeaders }: Request,
): Response {
  const headers = new Headers({ "cache-control": cacheControl, "cache-status": cacheStatus });
  if (isNotModified(requestHeaders.get("if-none-match"), page)) {
    appendAll(headers, page.validators);
    return new Response(null, { status: 304, headers });
  }
  const encoding = chooseEncoding(requestHeaders.get("accept-encoding") ?? undefined);
  appendAll(headers, page.headers(encoding));
  return new Response(method === "HEAD" ? null : page.body(encoding), { headers });
}

function isNotModified(ifNoneMatch: string | null | undefined, { etag }: CachedPage): boolean {
  return Boolean(ifNoneMatch) && fresh({ "if-none-match": ifNoneMatch ?? "" }, { etag });
}

function appendAll(headers: Headers, raw: RawHeaders): void {
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
}
