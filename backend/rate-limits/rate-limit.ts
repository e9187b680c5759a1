// One rate limit in the memory of this process: GCRA, a token bucket that refills evenly.
// Covers: one timestamp per key, a bounded number of keys. Does not cover: several processes, restarts.
// 2026-11-22: `lru-cache` is not used because it allocates for its maximum of keys at once (about 0.4 MB
// per limit), and every Realtime connection has limits of its own.
import type { Limit } from "./limits.ts";

export interface RateLimit {
  /** Milliseconds until the next request is allowed, 0 when it is allowed now. Counts nothing. */
  wait(key: string, now: number): number;
  /** Counts one request. Call it only after `wait` returned 0. */
  take(key: string, now: number): void;
  /** Number of keys in memory. */
  size(): number;
}

/** About 100 bytes each. */
const maxKeys = 20_000;

/**
 * `now` is in milliseconds and never goes back. When there are too many keys, the one that took longest ago
 * is evicted and starts with a full bucket; the limit for everyone still holds.
 */
export function createRateLimit({ count, seconds }: Omit<Limit, "per">): RateLimit {
  const interval = (seconds * 1000) / count;
  const burst = seconds * 1000 - interval;
  /** When each bucket is full again. The key that took last comes last. */
  const fullAt = new Map<string, number>();

  return {
    wait: (key, now) => Math.max(0, Math.max(fullAt.get(key) ?? 0, now) - burst - now),
    take(key, now) {
      const next = Math.max(fullAt.get(key) ?? 0, now) + interval;
      fullAt.delete(key);
      fullAt.set(key, next);
      const [oldest] = fullAt.keys();
      if (fullAt.size > maxKeys && oldest !== undefined) fullAt.delete(oldest);
    },
    size: () => fullAt.size,
  };
}
