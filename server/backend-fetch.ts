// The server's calls to the backend: none lasts longer than a few seconds, and each is noted, so that
// a page is known to depend on a table, or to lack what the backend could not give.
import { AsyncLocalStorage } from "node:async_hooks";

/** What one piece of work asked of the backend. */
export interface BackendUse {
  /** Tables that were read, by name. Whatever is no table stands here with its whole path. */
  tables: ReadonlySet<string>;
  /** Whether an answer was missing, late, cut off or an error of the backend's own. */
  failed: boolean;
}

export interface BackendCalls {
  /** As the platform's fetch; the answer has arrived whole when it resolves. */
  fetch: typeof fetch;
  /** Runs `work` and tells what it asked for. Its calls share one deadline, in milliseconds. */
  observe<T>(work: () => Promise<T>, patience?: number): Promise<{ result: T; use: BackendUse }>;
}

interface Observation {
  tables: Set<string>;
  failed: boolean;
  deadline: AbortSignal;
}

/** Statuses that say nothing about what was asked: the backend, or the way to it, is at fault. */
const blocked = new Set([401, 403, 408, 429]);

/** @param patience how long a piece of work waits for the backend, in milliseconds */
export function createBackendCalls(send: typeof fetch, patience = 4000): BackendCalls {
  const observations = new AsyncLocalStorage<Observation>();

  return {
    async fetch(input, init) {
      const observation = observations.getStore();
      const deadline = observation?.deadline ?? AbortSignal.timeout(patience);
      observation?.tables.add(tableOf(input));
      try {
        const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
        // The embedded backend does not watch the signal, and a body can stop half-way.
        const response = await before(signal, send(input, { ...init, signal }));
        const body = await before(signal, response.arrayBuffer());
        const { status, statusText, headers } = response;
        if (observation && (status >= 500 || blocked.has(status))) observation.failed = true;
        return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
      } catch (error) {
        if (observation) observation.failed = true;
        throw error;
      }
    },

    async observe(work, patienceForWork = patience) {
      const observation: Observation = {
        tables: new Set(),
        failed: false,
        deadline: AbortSignal.timeout(patienceForWork),
      };
      const result = await observations.run(observation, work);
      return { result, use: observation };
    },
  };
}

function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function tableOf(input: string | URL | Request): string {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  return /^\/rest\/v1\/(\w+)$/.exec(pathname)?.[1] ?? pathname;
}
