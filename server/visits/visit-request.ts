// Decides what a request counts as, from its address and headers only. Runs for each cached page, so what
// reports nothing must cost less than a microsecond: see docs/decisions/2026-11-22-visit-counts.md.
import type { IncomingHttpHeaders } from "node:http";
import { isbot } from "isbot";
import { reservedAddresses } from "../../app/config/reserved-addresses.ts";
import { menuSegments, postedForms } from "../../app/config/site-pages.ts";

export interface VisitRequest {
  method?: string | undefined;
  /** Path and query. */
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

export interface VisitKey {
  /** `start` marks a day on which a site began to count. */
  kind: "page" | "referrer" | "calculator" | "action" | "start";
  key: string;
}

/** Pages for visitors. Whether a slug exists is decided by the status of the response. */
const publicPage = new RegExp(
  `^/(?:(?:services|blog|blog/category)/[a-z0-9_-]{1,600}|blog/category|${menuSegments.join("|")}|(?!(?:${reservedAddresses.join("|")})$)[a-z0-9][a-z0-9_-]{0,99})?$`,
);
/** Matches the pattern of a post. */
const ownerPage = "/blog/new";
/** With a dot, so that neither `localhost` nor an IP address counts. */
const hostName = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]+$/;
/** The maximum length of a user agent. No browser sends a longer one. */
const maxUserAgentLength = 1000;

/**
 * What a request reports; empty for every other request. The browser reports by HEAD (app/visits/visit-count.ts): a page that
 * is visible and where its visitor came from, a calculator that showed a result, without any input, or a click that may lead
 * to a talk. Without scripts, a calculator's form is posted to the same address.
 * @param siteOrigin the origin of this site, with a slash at its end
 */
export function reportedVisit(request: VisitRequest, siteOrigin: string): VisitKey[] {
  const { method, url = "", headers } = request;
  const start = url.indexOf("?");
  if (start < 0 || (method !== "HEAD" && method !== "POST")) return [];
  const path = start > 1 && url[start - 1] === "/" ? url.slice(0, start - 1) : url.slice(0, start);
  if (!publicPage.test(path) || path === ownerPage) return [];
  const site = headers["sec-fetch-site"];
  if ((site !== undefined && site !== "same-origin") || isBot(headers["user-agent"])) return [];
  const query = new URLSearchParams(url.slice(start));
  const calculator = query.get("used") ?? "";
  if (postedForms.includes(`${path}?calculator=${calculator}`)) {
    return [{ kind: "calculator", key: calculator }];
  }
  if (method === "POST") return [];
  const action = query.get("did") ?? "";
  if (/^(book|phone|mail)$/.test(action)) return [{ kind: "action", key: action }];
  const from = query.get("from");
  if (from === null) return [];
  const referrer = referrerOf(from, headers.host, siteOrigin);
  const page: VisitKey = { kind: "page", key: path };
  return referrer === null ? [page] : [page, { kind: "referrer", key: referrer }];
}

/**
 * The host name of the site that a visitor came from, else `direct`; null when it is this site.
 * @param from the document's referrer, or `/` after a click within the site
 */
function referrerOf(from: string, host: string | undefined, siteOrigin: string): string | null {
  if (from === "/" || from.startsWith(siteOrigin)) return null;
  const url = URL.parse(from);
  // A new site does not know its own name. A forged Host can only hide its own request.
  if (url?.host && url.host === host) return null;
  const name = url && /^https?:$/.test(url.protocol) ? url.hostname.replace(/^www\./, "") : "";
  return name.length <= 253 && hostName.test(name) ? name : "direct";
}

function isBot(userAgent: string | undefined): boolean {
  return !userAgent || userAgent.length > maxUserAgentLength || isbot(userAgent);
}
