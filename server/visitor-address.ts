// The address of the visitor whose request is being handled. The embedded backend counts requests per address
// (packages/embedded-supabase/src/rate-limits), including those that the site makes for a visitor.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { runForVisitor } from "embedded-supabase/rate-limits/shared-work.ts";

let isProxyWarningLogged = false;

/** Runs `handle` for the visitor who sent `request`. */
export function onBehalfOfVisitor<T>(
  request: IncomingMessage,
  trustedProxies: number,
  handle: () => T,
): T {
  if (trustedProxies === 0 && request.headers["x-forwarded-for"]) warnAboutProxy(request);
  return runForVisitor(visitorAddress(request, trustedProxies), handle);
}

/** Behind an unconfigured proxy all visitors have the proxy's address and share one rate limit. */
function warnAboutProxy({ socket }: IncomingMessage): void {
  if (isProxyWarningLogged || !/^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "")) return;
  isProxyWarningLogged = true;
  console.warn(
    "A proxy seems to stand in front. Set TRUSTED_PROXIES, or all visitors share one rate limit.",
  );
}

/**
 * Reads X-Forwarded-For from its end: each trusted proxy appended the address that it saw. Entries further left can be
 * forged and are ignored.
 * 2026-11-22: `proxy-addr` is not used because it returns entries that are no addresses or have a port unchanged.
 * @param trustedProxies number of proxies in front; with 0 the header is ignored
 */
export function visitorAddress(
  request: Pick<IncomingMessage, "headers" | "socket">,
  trustedProxies: number,
): string {
  const header = request.headers["x-forwarded-for"] ?? "";
  const entries = (Array.isArray(header) ? header.join() : header).split(",");
  let address = request.socket.remoteAddress ?? "unknown";
  for (let hop = 1; hop <= trustedProxies && hop <= entries.length; hop++) {
    const next = withoutPort(entries.at(-hop) ?? "");
    if (!next) break;
    address = next;
  }
  return address;
}

/** Some proxies append a port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string | null {
  const text = entry.trim();
  const address =
    text.match(/^\[([^\]]+)\](?::\d+)?$/)?.[1] ?? text.match(/^([\d.]+):\d+$/)?.[1] ?? text;
  return isIP(address) ? address : null;
}
