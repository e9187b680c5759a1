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

type Header = string | string[] | undefined;

interface Seen {
  address: string | undefined;
  for: Header;
  host: Header;
  protocol: Header;
}

export function observeForwarded(): ForwardedRequests {
  const seen: Seen[] = [];
  let next = 0;

  return {
    note({ headers, socket, url }) {
      // Supervisors and monitoring connect directly, without the proxy.
      if (url?.startsWith("/healthz")) return;
      // Runs for each cached page: parsing would take longer than finding the page.
      seen[next] = {
        address: socket.remoteAddress,
        for: headers["x-forwarded-for"],
        host: headers["x-forwarded-host"],
        protocol: headers["x-forwarded-proto"],
      };
      next = (next + 1) % remembered;
    },
    summary() {
      if (seen.length < enough) return null;
      const groups = Map.groupBy(seen, (request) => JSON.stringify(factsOf(request)));
      const most = [...groups.values()].find((same) => same.length > seen.length / 2);
      return most?.[0] ? factsOf(most[0]) : null;
    },
  };
}

function factsOf(request: Seen): ForwardedFacts {
  return {
    hops: entriesOf(request.for).length,
    fromProxy: isNear(request.address ?? ""),
    host: entriesOf(request.host)[0] ?? null,
    protocol: entriesOf(request.protocol)[0] ?? null,
  };
}

function entriesOf(header: Header): string[] {
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
