// How much work runs at the same time, in all and per visitor. What finds no free slot waits for a short time.
// Covers: fair turns, so that a visitor with many waiting requests does not delay the others. Does not cover: how
// often something is done (allowance.ts), several processes.

export interface ConcurrencyOptions {
  /** Slots in all. */
  total: number;
  /** Slots of one visitor. */
  perVisitor: number;
  /** Requests of one visitor that may wait for a slot. One more is refused at once. */
  waitingPerVisitor: number;
  /** Requests of all visitors that may wait. */
  waiting: number;
  /** Milliseconds after which a waiting request is refused. */
  timeout: number;
}

/** Frees a slot. A second call does nothing. */
type Release = () => void;

export interface ConcurrencyLimit {
  /**
   * Waits for a slot.
   * @param visitor the visitor's key (visitor-key.ts); null for the site's own work, which only `total` limits.
   * @param signal ends the wait when the client has disconnected.
   * @returns null when the work is refused.
   */
  acquire(visitor: string | null, signal?: AbortSignal): Promise<Release | null>;
}

interface Visitor {
  running: number;
  /** Starts the waiting work, oldest first. */
  waiting: Set<() => void>;
}

export function createConcurrencyLimit(options: ConcurrencyOptions): ConcurrencyLimit {
  /** Only visitors with running or waiting work. The one that was served last comes last. */
  const visitors = new Map<string | null, Visitor>();
  let running = 0;
  let waiting = 0;

  return { acquire };

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
      forgetWhenIdle(key, visitor);
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
      // At once, so that nothing can take the slot in between.
      turn.resolve(occupy(key, visitor));
    };
    const giveUp = () => {
      leave();
      forgetWhenIdle(key, visitor);
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

  function forgetWhenIdle(key: string | null, visitor: Visitor): void {
    if (visitor.running === 0 && visitor.waiting.size === 0) visitors.delete(key);
  }
}
