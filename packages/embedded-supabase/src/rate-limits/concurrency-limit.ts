// Limits how many requests run at the same time, in total and per visitor. Others wait in a short queue.
// Covers: fair turns, so that a visitor with many waiting requests does not delay others. Does not cover: request
// rates (rate-limit.ts), several processes.
// 2026-11-22: `p-queue` and `p-limit` are not used because they have one queue: no limit and no fair turn per visitor.

export interface ConcurrencyOptions {
  /** The maximum number of requests that run at the same time. */
  total: number;
  /** The maximum number of a visitor's requests that run at the same time. */
  perVisitor: number;
  /** The queue length per visitor. Further requests are rejected immediately. */
  waitingPerVisitor: number;
  /** The total queue length. */
  waiting: number;
  /** Milliseconds after which a queued request is rejected. */
  timeout: number;
}

/** Frees the slot. Further calls do nothing. */
type Release = () => void;

interface Visitor {
  running: number;
  /** The callbacks that start queued requests, oldest first. */
  waiting: Set<() => void>;
}

export function createConcurrencyLimit(options: ConcurrencyOptions) {
  /** The visitors with running or queued requests. The visitor who got a slot last comes last. */
  const visitors = new Map<string | null, Visitor>();
  let running = 0;
  let waiting = 0;

  return { acquire };

  /**
   * Waits for a slot.
   * @param key see visitorKey; null for the site's own work, which only `total` limits.
   * @param signal stops waiting when the client disconnects.
   * @returns null when the request is rejected.
   */
  async function acquire(key: string | null, signal?: AbortSignal): Promise<Release | null> {
    if (signal?.aborted) return null;
    const visitor = visitors.get(key) ?? { running: 0, waiting: new Set() };
    if (hasSlot(key, visitor)) return occupy(key, visitor);
    if (visitor.waiting.size >= options.waitingPerVisitor || waiting >= options.waiting) {
      return null;
    }
    return waitForSlot(key, visitor, signal);
  }

  function hasSlot(key: string | null, visitor: Visitor): boolean {
    return running < options.total && (key === null || visitor.running < options.perVisitor);
  }

  function occupy(key: string | null, visitor: Visitor): Release {
    visitors.delete(key);
    visitors.set(key, visitor);
    running += 1;
    visitor.running += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      running -= 1;
      visitor.running -= 1;
      deleteWhenIdle(key, visitor);
      startNext();
    };
  }

  function waitForSlot(
    key: string | null,
    visitor: Visitor,
    signal?: AbortSignal,
  ): Promise<Release | null> {
    const turn = Promise.withResolvers<Release | null>();
    const start = () => {
      leave();
      // Runs synchronously, so that no other request can take the slot in between.
      turn.resolve(occupy(key, visitor));
    };
    const giveUp = () => {
      leave();
      deleteWhenIdle(key, visitor);
      turn.resolve(null);
    };
    const timer = setTimeout(giveUp, options.timeout);
    signal?.addEventListener("abort", giveUp, { once: true });
    visitors.set(key, visitor);
    visitor.waiting.add(start);
    waiting += 1;
    return turn.promise;

    function leave(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      visitor.waiting.delete(start);
      waiting -= 1;
    }
  }

  function startNext(): void {
    for (const [key, visitor] of visitors) {
      const [start] = visitor.waiting;
      if (!start || !hasSlot(key, visitor)) continue;
      start();
      return;
    }
  }

  function deleteWhenIdle(key: string | null, visitor: Visitor): void {
    if (visitor.running === 0 && visitor.waiting.size === 0) visitors.delete(key);
  }
}
