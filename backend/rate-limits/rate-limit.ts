// Counts against one limit in the memory of this process (GCRA: a bucket that refills evenly).
// Covers: one number per visitor, a bounded number of visitors. Does not cover: several processes, restarts.
import type { Limit } from "./limits.ts";

export interface Allowance {
  /** Milliseconds until one more is allowed; 0 when it is now. Changes nothing. */
  wait(key: string, now: number): number;
  /** Counts one. Only after `wait` gave 0. */
  take(key: string, now: number): void;
  /** How many keys are remembered. */
  size(): number;
}

/** About 100 bytes each. */
const mostKeys = 20_000;

/**
 * @param now of its methods is in milliseconds and never goes back.
 * A visitor who was forgotten for lack of room starts anew; the limit for everyone still holds.
 */
export function createAllowance({ count, seconds }: Omit<Limit, "per">): Allowance {
  const interval = (seconds * 1000) / count;
  const burst = seconds * 1000 - interval;
  /** When the bucket is full again. Whoever took last stands last. */
  const fullAt = new Map<string, number>();

  return {
    wait: (key, now) => Math.max(0, Math.max(fullAt.get(key) ?? 0, now) - burst - now),
    take(key, now) {
      const next = Math.max(fullAt.get(key) ?? 0, now) + interval;
      fullAt.delete(key);
      if (fullAt.size >= mostKeys) forget(now);
      fullAt.set(key, next);
    },
    size: () => fullAt.size,
  };

  /** Who has a full bucket loses nothing by it; then, half of those who were quiet longest. */
  function forget(now: number): void {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
    if (fullAt.size < mostKeys) return;
    for (const key of [...fullAt.keys()].slice(0, mostKeys / 2)) fullAt.delete(key);
  }
}
