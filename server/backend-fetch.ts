// A fetch for the server's requests to the backend: with a timeout, and with a record of what each page used,
// so that the page cache knows which tables a page shows and whether the backend failed.
import { AsyncLocalStorage } from "node:async_hooks";

/** What one rendering requested from the backend. */
export interface BackendUse {
  /** Names of the tables that were read; for other requests the path. */
  tables: ReadonlySet<string>;
  /** Whether a response was missing, late, incomplete, or an error that the backend caused. */
  failed: boolean;
}

export interface BackendFetch {
  /** Like the platform's fetch. Resolves when the whole response has arrived. */
  fetch: typeof fetch;
  /** Runs `work` and records its requests, which share one timeout in milliseconds. */
  observe<T>(work: () => Promise<T>, timeout?: number): Promise<{ result: T; use: BackendUse }>;
}

interface Observation {
  tables: Set<string>;
  failed: boolean;
  deadline: AbortSignal;
}

/** Client errors that are caused by the backend or the network, not by the request. */
const backendErrors = new Set([401, 403, 408, 429]);

/** The tables that database functions read for pages. */
const tablesOfFunctions: Readonly<Record<string, string>> = {
  search_posts: "posts",
  list_post_categories: "posts",
  list_category_posts: "posts",
  find_neighbor_posts: "posts",
};

/** @param timeout in milliseconds, for one observed unit of work or one single request */
export function createBackendFetch(send: typeof fetch, timeout = 4000): BackendFetch {
  const observations = new AsyncLocalStorage<Observation>();

  return {
    async fetch(input, init) {
      const observation = observations.getStore();
      const deadline = observation?.deadline ?? AbortSignal.timeout(timeout);
      observation?.tables.add(tableOf(input));
      try {
        const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
        // The embedded backend ignores the signal, and a body can stop half-way.
        const response = await rejectOnAbort(signal, send(input, { ...init, signal }));
        const body = await rejectOnAbort(signal, response.arrayBuffer());
        const { status, statusText, headers } = response;
        if (observation && (status >= 500 || backendErrors.has(status))) observation.failed = true;
        return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
      } catch (error) {
        if (observation) observation.failed = true;
        throw error;
      }
    },

    async observe(work, workTimeout = timeout) {
      const observation: Observation = {
        tables: new Set(),
        failed: false,
        deadline: AbortSignal.timeout(workTimeout),
      };
      const result = await observations.run(observation, work);
      return { result, use: observation };
    },
  };
}

function rejectOnAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function tableOf(input: string | URL | Request): string {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const [, called = ""] = /^\/rest\/v1\/rpc\/(\w+)$/.exec(pathname) ?? [];
  return tablesOfFunctions[called] ?? /^\/rest\/v1\/(\w+)$/.exec(pathname)?.[1] ?? pathname;
}
