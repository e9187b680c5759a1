// Sends a cached page: straight through node:http on the fast path, or as a Response.
import type { IncomingMessage, ServerResponse } from "node:http";
import fresh from "fresh";
import type { CachedPage } from "./cached-page.ts";
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
  const encoding = headers["accept-encoding"]?.toString();
  const answer = answerTo(hit, method, headers["if-none-match"], encoding);
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
  return true;
}

export function toResponse(hit: CacheHit, { method, headers }: Request): Response {
  const encoding = headers.get("accept-encoding") ?? undefined;
  const answer = answerTo(hit, method, headers.get("if-none-match"), encoding);
  const { status, headers: raw, body } = answer;
  const sent = new Headers();
  for (let at = 0; at < raw.length; at += 2) sent.append(raw[at] ?? "", raw[at + 1] ?? "");
  return new Response(body ?? null, { status, headers: sent });
}

function answerTo(
  { page, cacheControl, cacheStatus }: CacheHit,
  method: string,
  ifNoneMatch: string | null | undefined,
  acceptEncoding: string | undefined,
) {
  const cacheHeaders = ["cache-control", cacheControl, "cache-status", cacheStatus];
  if (isNotModified(ifNoneMatch, page)) {
    return { status: 304, headers: [...page.validators, ...cacheHeaders], body: undefined };
  }
  const encoding = chooseEncoding(acceptEncoding);
  return {
    status: 200,
    headers: [...page.headers(encoding), ...cacheHeaders],
    body: method === "HEAD" ? undefined : page.body(encoding),
  };
}

function isNotModified(ifNoneMatch: string | null | undefined, { etag }: CachedPage): boolean {
  return Boolean(ifNoneMatch) && fresh({ "if-none-match": ifNoneMatch ?? "" }, { etag });
}
