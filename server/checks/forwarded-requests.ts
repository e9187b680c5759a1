// Observes what proxies in front add to requests. Anyone can send these headers, so the checks use only what most of
// the last requests had.
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { ForwardedFacts } from "../../app/config/checks/check.ts";

const remembered = 50;
/** With fewer requests nothing is concluded. */
const enough = 10;
const maxLength = 200;

export interface ForwardedRequests {
  note(request: Pick<IncomingMessage, "headers" | "socket" | "url">): void;
  /** The facts that more than half of the last requests share; null when there are none. */
  summary(): ForwardedFacts | null;
}

export function observeForwarded(): ForwardedRequests {
  const seen: string[] = [];
  let next = 0;

  return {
    note({ headers, socket, url }) {
      // Supervisors and monitoring connect directly, without the proxy.
      if (url?.startsWith("/healthz")) return;
      const facts: ForwardedFacts = {
        hops: entriesOf(headers["x-forwarded-for"]).length,
        fromProxy: isNear(socket.remoteAddress ?? ""),
        host: entriesOf(headers["x-forwarded-host"])[0] ?? null,
        protocol: entriesOf(headers["x-forwarded-proto"])[0] ?? null,
      };
      seen[next] = JSON.stringify(facts);
      next = (next + 1) % remembered;
    },
    summary() {
      if (seen.length < enough) return null;
      const counts = Map.groupBy(seen, (facts) => facts);
      const most = [...counts.values()].find((same) => same.length > seen.length / 2);
      // `note` serialized it from ForwardedFacts.
      return most?.[0] ? (JSON.parse(most[0]) as ForwardedFacts) : null;
    },
  };
}

function entriesOf(header: string | string[] | undefined): string[] {
  const text = (Array.isArray(header) ? header.join() : (header ?? "")).slice(0, maxLength);
  return text
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
}

/** Whether an address is this machine or in its private network. */
function isNear(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return ["loopback", "private", "uniqueLocal", "linkLocal"].includes(range);
}
