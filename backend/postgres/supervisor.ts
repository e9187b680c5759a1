// Keeps PostgreSQL running and tells when it can be used.
// Covers: a server that ended (restarted, with growing pauses, a bounded number of times), a server that lives but
// threw every connection out (one of its processes crashed). Does not cover: a server that hangs.
import type { PostgresServer } from "./server.ts";

export interface Supervisor {
  isReady(): boolean;
  /** Resolves when the database can be used; stays open when it never can be again. */
  untilReady(): Promise<void>;
  /** To be called when a connection broke: connections are made anew, the server too if it ended. */
  connectionLost(): void;
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  start(): Promise<PostgresServer>;
  /** Opens the connections of a server. Rejects while it does not take them. */
  open(url: string): Promise<void>;
  /** Drops the connections. Called once for each `open` that succeeded. */
  close(): void;
  log: (line: string) => void;
}

/** Starts in a row that did not hold before the supervisor gives up. */
export const maxFailures = 10;
/** Milliseconds. A server that was usable for this long did not fail to start. */
const heldAfter = 1_000;
const firstPause = 250;
const longestPause = 30_000;
/** Between attempts to connect to a server that is recovering. */
const reconnectPause = 100;

/** @throws when the first start fails: what a new installation gets wrong is told at once. */
export async function supervise(options: SupervisorOptions): Promise<Supervisor> {
  const { start, open, close, log } = options;
  const stopping = new AbortController();
  let state: "ready" | "away" | "given up" | "stopped" = "away";
  let ready = Promise.withResolvers<void>();
  let readySince = 0;
  let failures = 0;
  let recovery: Promise<void> = Promise.resolve();

  let server = await start();
  let hasEnded = watch(server);
  try {
    await open(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  becomeReady();
  if (hasEnded()) lost("PostgreSQL ended");

  return {
    isReady: () => state === "ready",
    untilReady: () => ready.promise,
    connectionLost: () => lost("a connection to PostgreSQL broke"),
    async stop() {
      const wasReady = state === "ready";
      state = "stopped";
      stopping.abort();
      await recovery;
      if (wasReady) close();
      await server.stop();
    },
  };

  /** @returns whether it has ended by now. */
  function watch(current: PostgresServer): () => boolean {
    let ended = false;
    void current.exited.then(() => {
      ended = true;
      if (current === server) lost("PostgreSQL ended");
    });
    return () => ended;
  }

  function becomeReady(): void {
    state = "ready";
    readySince = performance.now();
    ready.resolve();
  }

  function lost(what: string): void {
    if (state !== "ready") return;
    if (performance.now() - readySince > heldAfter) failures = 0;
    state = "away";
    ready = Promise.withResolvers();
    log(`database: ${what}; until it is back, requests that need it are answered with 503`);
    close();
    recovery = recover();
  }

  async function recover(): Promise<void> {
    while (state === "away") {
      // The end of the server is noticed a moment after that of its connections.
      if (hasEnded()) {
        if (!(await restart())) return;
      }
      try {
        await open(server.url);
      } catch {
        await pause(reconnectPause);
        continue;
      }
      // It may have been stopped or have ended meanwhile.
      if (state !== "away" || hasEnded()) {
        close();
        continue;
      }
      becomeReady();
      log("database: PostgreSQL can be used again");
    }
  }

  async function restart(): Promise<boolean> {
    while (state === "away") {
      if (failures >= maxFailures) return giveUp();
      if (failures > 0) {
        const milliseconds = Math.min(longestPause, firstPause * 2 ** (failures - 1));
        log(`database: the next start is in ${milliseconds / 1000} s`);
        await pause(milliseconds);
      }
      if (state !== "away") return false;
      failures += 1;
      log("database: starting PostgreSQL again");
      try {
        server = await start();
        hasEnded = watch(server);
        return true;
      } catch (error) {
        log(`database: ${error instanceof Error ? error.message : error}`);
      }
    }
    return false;
  }

  function giveUp(): false {
    state = "given up";
    log(`database: PostgreSQL did not hold ${maxFailures} times in a row and is not started again.
The site stays up: pages that need no database are served, everything else is answered with 503.
Mend what the lines above tell of, then restart the site.`);
    return false;
  }

  /** A stop ends it. */
  function pause(milliseconds: number): Promise<void> {
    const { signal } = stopping;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener("abort", end, { once: true });

      function end() {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      }
    });
  }
}
