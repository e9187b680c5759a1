// Keeps PostgreSQL running and reports when it is available.
// Covers: a server that exited (restarts with back-off, a limited number of times), a server that dropped all connections
// because one of its processes crashed. Does not cover: a server that hangs.
import type { PostgresServer } from "./server.ts";

interface SupervisorOptions {
  start(): Promise<PostgresServer>;
  /** Opens connections to a server. Rejects while the server does not accept them. */
  open(url: string): Promise<void>;
  /** Drops the connections. Called once after each successful `open`. */
  close(): void;
  log: (line: string) => void;
}

/** Failed starts in a row before the supervisor gives up. */
export const MAX_FAILURES = 10;
/** How long a server must have been available to count as started. */
const STARTED_AFTER_MS = 1_000;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
/** The pause between attempts to connect to a recovering server. */
const RECONNECT_PAUSE_MS = 100;

/** @throws when the first start fails, so that a wrong setup is reported immediately */
export async function supervise(options: SupervisorOptions) {
  const { start, open, close, log } = options;
  const stopping = new AbortController();
  let state: "ready" | "unavailable" | "given up" | "stopped" = "unavailable";
  let ready = Promise.withResolvers<void>();
  let readySince = 0;
  let failures = 0;
  let recovery: Promise<void> = Promise.resolve();

  let server = await start();
  let hasExited = watch(server);
  try {
    await open(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  becomeReady();
  if (hasExited()) lost("PostgreSQL exited");

  return {
    isReady: () => state === "ready",
    /** Resolves when the database is available. Never settles after the supervisor gave up. */
    untilReady: () => ready.promise,
    /** Call it when a connection broke: replaces the connections, and restarts the server if it exited. */
    connectionLost: () => lost("a connection to PostgreSQL broke"),
    async stop(): Promise<void> {
      const wasReady = state === "ready";
      state = "stopped";
      stopping.abort();
      await recovery;
      if (wasReady) close();
      await server.stop();
    },
  };

  /** @returns whether the server has exited by now */
  function watch(current: PostgresServer): () => boolean {
    let exited = false;
    void current.exited.then(() => {
      exited = true;
      if (current === server) lost("PostgreSQL exited");
    });
    return () => exited;
  }

  function becomeReady(): void {
    state = "ready";
    readySince = performance.now();
    ready.resolve();
  }

  function lost(what: string): void {
    if (state !== "ready") return;
    if (performance.now() - readySince > STARTED_AFTER_MS) failures = 0;
    state = "unavailable";
    ready = Promise.withResolvers();
    log(`database: ${what}; until it is back, requests that need it get 503`);
    close();
    recovery = recover();
  }

  async function recover(): Promise<void> {
    while (state === "unavailable") {
      // The exit of the server is detected a moment after its connections break.
      if (hasExited()) {
        if (!(await restart())) return;
      }
      try {
        await open(server.url);
      } catch {
        await pause(RECONNECT_PAUSE_MS);
        continue;
      }
      // The server may have been stopped or have exited meanwhile.
      if (state !== "unavailable" || hasExited()) {
        close();
        continue;
      }
      becomeReady();
      log("database: PostgreSQL is available again");
    }
  }

  async function restart(): Promise<boolean> {
    while (state === "unavailable") {
      if (failures >= MAX_FAILURES) return giveUp();
      if (failures > 0) {
        const milliseconds = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
        log(`database: the next start is in ${milliseconds / 1000} s`);
        await pause(milliseconds);
      }
      if (state !== "unavailable") return false;
      failures += 1;
      log("database: starting PostgreSQL again");
      try {
        server = await start();
        hasExited = watch(server);
        return true;
      } catch (error) {
        log(`database: ${error instanceof Error ? error.message : error}`);
      }
    }
    return false;
  }

  function giveUp(): false {
    state = "given up";
    log(`database: PostgreSQL failed ${MAX_FAILURES} times in a row and is not started again.
The site stays up: it serves pages that need no database and responds to everything else with 503.
Fix the errors above, then restart the site.`);
    return false;
  }

  /** Waits, or returns early when the supervisor stops. */
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
