// One rate limit in the memory of this process: GCRA, a token bucket that refills evenly.
// Covers: one timestamp per key, a bounded number of keys. Does not cover: several processes, restarts.
// 2026-11-22: `lru-cache` is not used because it allocates for its maximum of keys at once (about 0.4 MB
// per limit), and every Realtime connection has a limit of its own.
import ipaddr from "ipaddr.js";
import type { Limit } from "./limits.ts";

/** The maximum number of keys, of about 100 bytes each. */
const maxKeys = 20_000;

/**
 * @param now a clock in milliseconds that never goes back. When there are too many keys, the least recently used one is evicted
 * and starts with a full bucket; the limit for everyone still holds.
 */
export function createRateLimit({ count, seconds }: Omit<Limit, "per">) {
  const interval = (seconds * 1000) / count;
  const burst = seconds * 1000 - interval;
  /** When each bucket is full again. The most recently used key comes last. */
  const fullAt = new Map<string, number>();

  return {
    wait,
    take,
    /** The number of keys in memory. */
    size: () => fullAt.size,
  };

  /** The milliseconds until the next request is allowed; 0 when it is allowed now. Counts nothing. */
  function wait(key: string, now: number): number {
    const milliseconds = Math.max(fullAt.get(key) ?? 0, now) - burst - now;
    // The sums of a fractional clock are inexact, and must not reject the last request of a burst.
    return Math.max(0, Math.round(milliseconds));
  }

  /** Counts a request if it is allowed. @returns 0, or the milliseconds to wait */
  function take(key: string, now = performance.now()): number {
    const milliseconds = wait(key, now);
    if (milliseconds > 0) return milliseconds;
    const next = Math.max(fullAt.get(key) ?? 0, now) + interval;
    fullAt.delete(key);
    fullAt.set(key, next);
    const [oldest] = fullAt.keys();
    if (fullAt.size > maxKeys && oldest !== undefined) fullAt.delete(oldest);
    return 0;
  }
}

/**
 * The key under which a visitor's requests are counted: the IPv4 address, or the /64 network of an IPv6
 * address, because one subscriber usually gets a whole /64. Invalid addresses are returned unchanged.
 */
export function visitorKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // Converts an IPv4-mapped IPv6 address to IPv4.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}
