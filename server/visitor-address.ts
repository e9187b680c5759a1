// Whose request is being handled. The backend counts requests per address (backend/rate-limits), also
// those that the site makes for a visitor.
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

const current = new AsyncLocalStorage<string>();
let isHintGiven = false;

/** Runs `handle` on behalf of the visitor who sent `request`. */
export function onBehalfOfVisitor<T>(
  request: IncomingMessage,
  trustedProxies: number,
  handle: () => T,
): T {
  if (trustedProxies === 0 && request.headers["x-forwarded-for"]) hintAtProxy(request);
  return current.run(visitorAddress(request, trustedProxies), handle);
}

/** Runs `work` on behalf of the site itself. */
export function onBehalfOfSite<T>(work: () => T): T {
  return current.exit(work);
}

/** A proxy that nobody told us of would make one visitor of all, and of that one a nuisance. */
function hintAtProxy({ socket }: IncomingMessage): void {
  if (isHintGiven || !/^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "")) return;
  isHintGiven = true;
  console.warn(
    "A proxy seems to stand in front. Set TRUSTED_PROXIES, or all visitors share one rate limit.",
  );
}

/** The address of the visitor on whose behalf this code runs; null when it runs for nobody. */
export function currentVisitorAddress(): string | null {
  return current.getStore() ?? null;
}

/**
 * Counts back from our end: each trusted proxy has appended the address that it saw to
 * X-Forwarded-For, and what stands left of those entries is anyone's claim.
 * @param trustedProxies how many proxies stand in front; with 0 the header is not read.
 */
export function visitorAddress(
  request: Pick<IncomingMessage, "headers" | "socket">,
  trustedProxies: number,
): string {
  const peer = request.socket.remoteAddress ?? "unknown";
  const header = request.headers["x-forwarded-for"] ?? "";
  const claims = (Array.isArray(header) ? header.join() : header).split(",");
  let address = peer;
  for (let hop = 1; hop <= trustedProxies && hop <= claims.length; hop++) {
    const next = bareAddress(claims.at(-hop) ?? "");
    if (!next) break;
    address = next;
  }
  return address;
}

/** Some proxies add a port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function bareAddress(entry: string): string | null {
  const text = entry.trim();
  const bare =
    text.match(/^\[([^\]]+)\](?::\d+)?$/)?.[1] ?? text.match(/^([\d.]+):\d+$/)?.[1] ?? text;
  return isIP(bare) ? bare : null;
}
