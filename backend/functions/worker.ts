// Keeps one function available: starts its process at the first call and restarts it after failures.
// Covers: back-off, the timeout per call, stopping idle processes. Does not cover: several processes per function.
import type { DenoProcess } from "./deno-process.ts";

export interface Worker {
  /** `path` is what follows the origin. */
  fetch(path: string, init: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** The function cannot be reached now, for no reason in the request. */
export class WorkerUnavailable extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 1) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class WorkerTimedOut extends Error {}

/** A process that exits sooner than this after its start counts as a failure. */
const HEALTHY_AFTER_MS = 10_000;
const MAX_BACKOFF_MS = 30_000;
/** A call waits up to this long for a restart. */
const RESTART_WAIT_MS = 2_000;
/** Then the process is stopped: its memory is worth more than the fraction of a second that the next start takes. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

export function createWorker(start: () => Promise<DenoProcess>, timeLimit: number): Worker {
  let running: Promise<DenoProcess> | null = null;
  let failures = 0;
  let notBefore = 0;
  let stopped = false;
  let idle: NodeJS.Timeout | undefined;

  return {
    async fetch(path, init) {
      try {
        return await invoke(path, init);
      } catch (error) {
        // The process is gone and has not received the request, so the next process can handle it.
        if (!isConnectionRefused(error)) throw asWorkerError(error);
        return invoke(path, init).catch((again: unknown) => {
          throw asWorkerError(again);
        });
      }
    },
    async stop() {
      stopped = true;
      clearTimeout(idle);
      const process = await running?.catch(() => null);
      process?.kill();
      await process?.exited;
    },
  };

  async function invoke(path: string, init: RequestInit): Promise<Response> {
    const process = await ready();
    clearTimeout(idle);
    idle = setTimeout(process.kill, IDLE_TIMEOUT_MS).unref();
    const headers = new Headers(init.headers);
    headers.set("x-runner-secret", process.secret);
    try {
      return await fetch(`${process.origin}${path}`, {
        ...init,
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(timeLimit),
      });
    } catch (error) {
      // A process that hangs would hang for every caller.
      if (isTimeout(error)) process.kill();
      if (isConnectionRefused(error)) await process.exited;
      throw error;
    }
  }

  async function ready(): Promise<DenoProcess> {
    if (stopped) throw new WorkerUnavailable("The backend is stopping");
    if (!running) {
      const wait = notBefore - Date.now();
      if (wait > RESTART_WAIT_MS) {
        throw new WorkerUnavailable("The function is restarting", Math.ceil(wait / 1000));
      }
      running = startAfter(Math.max(0, wait));
    }
    return running;
  }

  async function startAfter(delay: number): Promise<DenoProcess> {
    const began = Date.now() + delay;
    try {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      const process = await start();
      void process.exited.then(() => ended(began));
      return process;
    } catch (error) {
      ended(began);
      throw error;
    }
  }

  function ended(began: number): void {
    running = null;
    clearTimeout(idle);
    failures = Date.now() - began > HEALTHY_AFTER_MS ? 0 : failures + 1;
    if (failures > 0) {
      notBefore = Date.now() + Math.min(MAX_BACKOFF_MS, 250 * 2 ** (failures - 1));
    }
  }
}

function asWorkerError(error: unknown): Error {
  if (error instanceof WorkerUnavailable) return error;
  if (isTimeout(error)) return new WorkerTimedOut("The function took too long");
  return new WorkerUnavailable("The function is not available");
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** Node's fetch has the reason in `cause`. */
function isConnectionRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}
