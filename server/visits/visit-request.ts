// Decides what a request counts as, from its address and headers only. Runs for each cached page, so it must cost
// less than a microsecond: see docs/decisions/2026-11-22-visit-counts.md.
import type { IncomingHttpHeaders } from "node:http";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";

export interface VisitRequest {
  method?: string | undefined;
  /** Path and query. */
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Pages for visitors. Whether a slug exists is decided by the status of the response. */
const publicPage =
  /^\/(?:(?:services|blog|blog\/category)(?:\/[a-z0-9_-]{1,600})?|testimonials|savings-calculator|contact)?$/;
/** Matches the pattern of a post. */
const ownerPage = "/blog/new";
const calculatorUse = /^\/savings-calculator\?used=(coverage|retirement)$/;
/** A host name with a dot, so that neither `localhost` nor an IP address counts. */
const hostName = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]+$/;
/** The maximum length of a user agent. No browser sends a longer one, and the cache must stay small. */
const maxUserAgentLength = 1000;

/** Caches the result of isbot, which takes 3 microseconds: most visitors share a few user agents. */
const bots = new LRUCache<string, boolean>({ max: 500 });

/** The canonical path of the public page that is loaded; null for every other request. */
export function loadedPage({ method, url = "", headers }: VisitRequest): string | null {
  if (method !== "GET") return null;
  const query = url.indexOf("?");
  let path = query < 0 ? url : url.slice(0, query);
  if (path.length > 1 && path.endsWith("/")) path = path.slice(0, -1);
  if (!publicPage.test(path) || path === ownerPage) return null;
  // Only browsers send this header, and not over plain HTTP. Scripts and frames send other values.
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return null;
  return isPrefetch(headers) || isBot(headers["user-agent"]) ? null : path;
}

/**
 * The calculator that showed a result; null for every other request. The browser reports it by HEAD, without any input;
 * without scripts, the form is posted to this address.
 */
export function usedCalculator({ method, url = "", headers }: VisitRequest): string | null {
  if (method !== "HEAD" && method !== "POST") return null;
  const calculator = calculatorUse.exec(url)?.[1] ?? null;
  if (calculator === null || isBot(headers["user-agent"])) return null;
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" ? calculator : null;
}

/**
 * The host name of the other site whose link was followed; null without one.
 * @param siteOrigin the origin of this site, with a slash at its end
 */
export function referringHost({ referer, host }: IncomingHttpHeaders, siteOrigin: string) {
  if (!referer || referer.startsWith(siteOrigin)) return null;
  const url = URL.parse(referer);
  // Without SITE_URL, the site does not know its own name and uses Host. A forged Host can only hide its own request.
  if (!url || !/^https?:$/.test(url.protocol) || url.host === host) return null;
  const name = url.hostname.replace(/^www\./, "");
  return name.length <= 253 && hostName.test(name) ? name : null;
}

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purpose = headers["sec-purpose"] ?? headers.purpose ?? headers["x-moz"];
  return purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose));
}

function isBot(userAgent: string | undefined): boolean {
  if (!userAgent || userAgent.length > maxUserAgentLength) return true;
  let known = bots.get(userAgent);
  if (known === undefined) {
    known = isbot(userAgent);
    bots.set(userAgent, known);
  }
  return known;
}
