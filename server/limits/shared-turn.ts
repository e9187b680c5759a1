// A slot for work that several visitors wait for, such as the rendering of a page that nobody has seen yet.
import type { Acquire } from "./concurrency-limits.ts";

export interface SharedTurn {
  /** The function that frees the slot; null when nobody who waits got one. */
  slot: Promise<(() => void) | null>;
  /** Adds the visitor for whom the code runs. */
  join(): void;
}

/**
 * Every visitor who joins waits among their own requests, and the first turn of any of them counts: a visitor with many waiting
 * requests delays nobody else who wants the same.
 */
export function createSharedTurn(acquire: Acquire): SharedTurn {
  const slot = Promise.withResolvers<(() => void) | null>();
  const others = new AbortController();
  let waiting = 0;
  return { slot: slot.promise, join };

  function join(): void {
    waiting += 1;
    acquire(others.signal).then((release) => {
      waiting -= 1;
      if (release && others.signal.aborted) release();
      if (release && !others.signal.aborted) {
        others.abort();
        slot.resolve(release);
      }
      if (waiting === 0) slot.resolve(null);
    }, slot.reject);
  }
}
