// Work that several visitors share: a promise for which many requests wait, or a queue in which many of them stand. Whoever
// makes one says whose work it is:
// - "for the site": it counts against no visitor, also when a visitor's request started it. What bounds it is not a visitor.
// - "in fair turns": each visitor waits among their own requests. Nobody who asks for much delays others, and shared work
//   starts with the first turn of any of its visitors. Once it has its slot, it runs for the site.
// tests/shared-work.test.ts finds promises and queues that are made in another way; docs/security.md lists all of them.
import { AsyncLocalStorage } from "node:async_hooks";
import pLimit from "p-limit";
import { type ConcurrencyOptions, createConcurrencyLimit } from "./concurrency-limit.ts";
import { visitorKey } from "./rate-limit.ts";

const currentVisitor = new AsyncLocalStorage<string>();

/** Runs `work` for the visitor at this address. */
export function runForVisitor<T>(address: string, work: () => T): T {
  return currentVisitor.run(address, work);
}

/** Null when the code does not run for a visitor. */
export function currentVisitorAddress(): string | null {
  return currentVisitor.getStore() ?? null;
}

/** Waits for a slot. @returns the function that frees it, or null when the request is rejected. */
export type Acquire = (signal?: AbortSignal) => Promise<(() => void) | null>;

export interface SiteQueue {
  run<Result>(work: () => Promise<Result> | Result): Promise<Result>;
  /** The number of tasks that wait. */
  size(): number;
  /** Drops the tasks that wait. */
  clear(): void;
}

/** A queue of the site's own tasks, so many of which run at a time. */
export function createQueue(whose: "for the site", concurrency: number): SiteQueue;
/** Slots for visitors' requests. @param visitorAddress of the request that is being handled; null for the site's own */
export function createQueue(
  whose: "in fair turns",
  options: ConcurrencyOptions,
  visitorAddress?: () => string | null,
): Acquire;
export function createQueue(
  ...args: ["for the site", number] | ["in fair turns", ConcurrencyOptions, (() => string | null)?]
): SiteQueue | Acquire {
  if (args[0] === "for the site") {
    const limit = pLimit(args[1]);
    return {
      run: (work) => limit(() => currentVisitor.exit(work)),
      size: () => limit.pendingCount,
      clear: () => limit.clearQueue(),
    };
  }
  const [, options, visitorAddress = currentVisitorAddress] = args;
  const limit = createConcurrencyLimit(options);
  return (signal) => {
    const address = visitorAddress();
    return limit.acquire(address === null ? null : visitorKey(address), signal);
  };
}

export interface Turn {
  /** Adds the visitor for whom the code runs, until the signal aborts. */
  join(signal?: AbortSignal): void;
  /** Runs the work in the slot. @returns null when nobody who waits got one */
  run<Result>(work: () => Promise<Result>): Promise<Result | null>;
}

/** The slot of one piece of work, for which any number of visitors wait. */
export function createTurn(whose: "for the site" | "in fair turns", acquire: Acquire): Turn {
  const slot = Promise.withResolvers<(() => void) | null>();
  const others = new AbortController();
  let waiting = 0;
  return {
    join: whose === "in fair turns" ? join : () => {},
    async run(work) {
      const isSites = whose === "for the site";
      const getSlot = isSites ? currentVisitor.exit(() => acquire()) : slot.promise;
      return runInSlot(await getSlot, () => currentVisitor.exit(work));
    },
  };

  function join(signal?: AbortSignal): void {
    waiting += 1;
    acquire(signal ? AbortSignal.any([others.signal, signal]) : others.signal).then((release) => {
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

/** Runs `work` for the site in a slot of the visitor for whom the code runs. @returns null when they got none */
export async function runInTurn<Result>(
  acquire: Acquire,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result | null> {
  return runInSlot(await acquire(signal), () => currentVisitor.exit(work));
}

/** Like `runInTurn`, but the work still runs for the visitor. */
export async function runInOwnTurn<Result>(
  acquire: Acquire,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result | null> {
  return runInSlot(await acquire(signal), work);
}

async function runInSlot<Result>(
  release: (() => void) | null,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (!release) return null;
  try {
    return await work();
  } finally {
    release();
  }
}

export interface SharedWork<Result> {
  /** Starts `work`, or joins what is under way with the same key. */
  share(key: string, work: () => Promise<Result>): Promise<Result>;
  isRunning(key: string): boolean;
  /** Later calls join nothing that is under way now. */
  separate(): void;
}

/** Shares running work: a request that asks for it meanwhile gets the same result. */
export function createSharedWork<Result>(whose: "for the site"): SharedWork<Result>;
/** The same for work that needs a slot. Its result is null when none of the visitors who wait got one. */
export function createSharedWork<Result>(
  whose: "in fair turns",
  acquire: Acquire,
): {
  share(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result | null>;
  isRunning(key: string): boolean;
  separate(): void;
};
export function createSharedWork<Result>(
  ...[, acquire]: ["for the site"] | ["in fair turns", Acquire]
) {
  const running = new Map<string, { turn: Turn | null; result: Promise<Result | null> }>();
  return {
    share(key: string, work: () => Promise<Result>, signal?: AbortSignal) {
      const known = running.get(key);
      known?.turn?.join(signal);
      if (known) return known.result;
      const turn = acquire ? createTurn("in fair turns", acquire) : null;
      turn?.join(signal);
      const result = (turn ? turn.run(work) : currentVisitor.exit(work)).finally(() => {
        if (running.get(key) === started) running.delete(key);
      });
      const started = { turn, result };
      running.set(key, started);
      return result;
    },
    isRunning: (key: string) => running.has(key),
    separate: () => running.clear(),
  };
}
