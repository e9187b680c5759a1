// A fetch for the server's requests to the backend: with a timeout, and with a record of what each page used,
// so that the page cache knows which tables a page shows and whether the backend failed. Pages that are rendered at the same
// time share equal reads.
import { AsyncLocalStorage } from "node:async_hooks";
import { createSharedWork } from "embedded-supabase/rate-limits/shared-work.ts";

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
  /**
   * Runs `work` and records its requests, which share one timeout in milliseconds. With `onlyReads`, a request gets the
   * response to an equal one that is under way.
   */
  observe<T>(
    work: () => Promise<T>,
    options?: { timeout?: number; onlyReads?: boolean },
  ): Promise<{ result: T; use: BackendUse }>;
  /** Called when rows changed: later requests get no response to an earlier one. */
  separateReads(): void;
}

interface Observation {
  tables: Set<string>;
  failed: boolean;
  deadline: AbortSignal;
  onlyReads: boolean;
}

/** A whole response, which several requests can share. */
interface Received {
  status: number;
  statusText: string;
  headers: Headers;
  body: ArrayBuffer;
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
  const reads = createSharedWork<Received>("for the site");

  return {
    async fetch(input, init) {
      const observation = observations.getStore();
      const deadline = observation?.deadline ?? AbortSignal.timeout(timeout);
      observation?.tables.add(tableOf(input));
      try {
        const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
        const key = observation?.onlyReads ? keyOf(input, init) : null;
        const { body, ...rest } = await (key === null
          ? receive(input, init, signal)
          : rejectOnAbort(
              signal,
              reads.share(key, () => receive(input, init, AbortSignal.timeout(timeout))),
            ));
        if (observation && (rest.status >= 500 || backendErrors.has(rest.status))) {
          observation.failed = true;
        }
        return new Response(body.byteLength > 0 ? body : null, rest);
      } catch (error) {
        if (observation) observation.failed = true;
        throw error;
      }
    },

    async observe(work, { timeout: workTimeout = timeout, onlyReads = false } = {}) {
      const observation: Observation = {
        tables: new Set(),
        failed: false,
        deadline: AbortSignal.timeout(workTimeout),
        onlyReads,
      };
      const result = await observations.run(observation, work);
      return { result, use: observation };
    },

    separateReads: reads.separate,
  };

  /** The embedded backend ignores the signal, and a body can stop half-way. */
  async function receive(
    input: Parameters<typeof fetch>[0],
    init: RequestInit | undefined,
    signal: AbortSignal,
  ): Promise<Received> {
    const response = await rejectOnAbort(signal, send(input, { ...init, signal }));
    const body = await rejectOnAbort(signal, response.arrayBuffer());
    const { status, statusText, headers } = response;
    return { status, statusText, headers, body };
  }
}

/** All that a request says; null when that cannot be compared. */
function keyOf(input: string | URL | Request, init: RequestInit = {}): string | null {
  const { method = "GET", headers, body = null } = init;
  if (input instanceof Request || (body !== null && typeof body !== "string")) return null;
  return JSON.stringify([method, String(input), [...new Headers(headers)], body]);
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
