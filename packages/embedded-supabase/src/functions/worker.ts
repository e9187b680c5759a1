// The Deno process of one function: starts at the first call, restarts after failures, stops after two idle minutes.
// Covers: Deno's permissions as the function's sandbox, its environment, the timeout per call, back-off. Does not
// cover: limits of the operating system, several processes per function.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { FunctionEnvironment } from "../config.ts";
import { codeOf } from "../errors.ts";

interface WorkerOptions {
  /** The folder with `index.ts`. Its name is the name of the function. */
  folder: string;
  /** The only environment variables that the function sees. */
  environment: FunctionEnvironment;
  /** URLs and host:port pairs that the function may connect to besides SUPABASE_URL. */
  hosts?: readonly string[];
  /** Hosts that the function may not connect to, also when a name that it may connect to resolves to one. */
  closedHosts?: readonly string[] | undefined;
  cacheDir: string;
  /** The timeout of a call in milliseconds. */
  timeLimit?: number;
  /** The idle time in milliseconds after which the process stops: its memory costs more than the next start. */
  idleTimeout?: number;
  log: (line: string) => void;
}

export type Worker = ReturnType<typeof createWorker>;

interface Listening {
  origin: string;
  /** The value of the header x-runner-secret. */
  secret: string;
}

const START_TIMEOUT_MS = 20_000;
/** A process that exits sooner than this after its start counts as a failure. */
const HEALTHY_AFTER_MS = 10_000;
const MAX_BACKOFF_MS = 30_000;
/** How long a call waits for a restart. */
const RESTART_WAIT_MS = 2_000;

const require = createRequire(import.meta.url);

export function createWorker(options: WorkerOptions) {
  const { timeLimit = 30_000, idleTimeout = 2 * 60_000 } = options;
  const log = (line: string) => options.log(`[${basename(options.folder)}] ${line}`);
  let child: ChildProcess | null = null;
  let listening: Promise<Listening> | null = null;
  let exited = Promise.resolve();
  let failures = 0;
  let notBefore = 0;
  let isStopped = false;
  let isIdle = false;
  let idle: NodeJS.Timeout | undefined;

  return {
    /** `path` is what follows the origin. Never rejects. */
    async fetch(path: string, init: RequestInit): Promise<Response> {
      try {
        return await call(path, init).catch(async (error) => {
          if (!isConnectionRefused(error)) throw error;
          // The process ended without receiving the request, so the next process can handle it.
          await exited;
          return call(path, init);
        });
      } catch (error) {
        if (isTimeout(error)) return relayError(504, "The function did not respond in time", 1);
        const seconds = Math.max(1, Math.ceil((notBefore - Date.now()) / 1000));
        return relayError(503, "The function is not available. Please try again.", seconds);
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(idle);
      kill();
      await exited;
    },
  };

  async function call(path: string, init: RequestInit): Promise<Response> {
    listening ??= start();
    const current = listening;
    const { origin, secret } = await current.catch((error) => {
      if (listening === current) listening = null;
      throw error;
    });
    clearTimeout(idle);
    idle = setTimeout(stopIdle, idleTimeout).unref();
    const headers = new Headers(init.headers);
    headers.set("x-runner-secret", secret);
    headers.set("accept-encoding", "identity");
    const signal = AbortSignal.timeout(timeLimit);
    try {
      const response = await fetch(origin + path, { ...init, headers, redirect: "manual", signal });
      // A copy has headers that can be changed.
      return new Response(response.body, response);
    } catch (error) {
      // Ends a process that hangs, which would hang for every caller.
      if (isTimeout(error)) kill();
      throw error;
    }
  }

  function stopIdle(): void {
    isIdle = true;
    kill();
  }

  function kill(): void {
    child?.kill("SIGKILL");
  }

  /** Resolves when the function listens. Rejects when it exits or hangs before that, and during the back-off. */
  async function start(): Promise<Listening> {
    const wait = Math.max(0, notBefore - Date.now());
    if (wait > RESTART_WAIT_MS) throw new Error("The function is restarting");
    await sleep(wait);
    if (isStopped) throw new Error("The backend is stopping");
    const began = Date.now();
    const secret = randomBytes(24).toString("base64url");
    const port = Promise.withResolvers<string>();
    const started = spawnDeno(options);
    child = started;
    isIdle = false;
    exited = new Promise((resolve) => {
      started.once("error", (error) => end(error.message));
      started.once("exit", (code, signal) => end(signal ?? `code ${code}`));

      function end(reason: string): void {
        if (!isStopped && !isIdle) log(`ended (${reason})`);
        child = null;
        listening = null;
        failures = Date.now() - began > HEALTHY_AFTER_MS ? 0 : failures + 1;
        notBefore = failures && Date.now() + Math.min(MAX_BACKOFF_MS, 250 * 2 ** (failures - 1));
        port.reject(new Error("The function did not start"));
        resolve();
      }
    });
    // The pipe breaks if the process exits at once.
    started.stdin.on("error", () => {});
    started.stdin.write(`${secret}\n`);
    createInterface({ input: started.stderr }).on("line", log);
    createInterface({ input: started.stdout }).on("line", (line) => {
      const [first, second] = line.split(" ");
      if (first === secret && second) port.resolve(second);
      else log(line);
    });
    const timer = setTimeout(kill, START_TIMEOUT_MS);
    try {
      return { origin: `http://127.0.0.1:${await port.promise}`, secret };
    } finally {
      clearTimeout(timer);
    }
  }
}

function spawnDeno({ folder, environment, hosts = [], closedHosts = [], cacheDir }: WorkerOptions) {
  // Closed to other users: code that one put into the cache would run with the secret key.
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  const nodeModules = dirname(dirname(require.resolve("deno/package.json")));
  // Runs the binary itself, because npm's wrapper script would be another process to stop. This call installs the binary when
  // npm's install scripts are disabled. The package has no types.
  const installer = require("deno/install_api.cjs") as { runInstall(): string };
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value ? [[name, value] as const] : [],
  );
  const args = [
    ...["run", "--quiet", "--no-prompt"],
    // npm has installed all packages, so nothing is downloaded at run time.
    ...["--no-remote", "--cached-only", "--no-lock", "--node-modules-dir=manual"],
    `--preload=${join(import.meta.dirname, "bootstrap.ts")}`,
    `--allow-read=${folder},${nodeModules}`,
    `--allow-env=${variables.map(([name]) => name).join(",")}`,
    // Libraries that read other variables get undefined instead of an error.
    "--ignore-env",
    // 127.0.0.1:0 is the address on which the function listens.
    `--allow-net=${["127.0.0.1:0", ...[environment.SUPABASE_URL ?? "", ...hosts].filter(Boolean).map(hostOf)].join(",")}`,
    ...(closedHosts.length > 0 ? [`--deny-net=${closedHosts.join(",")}`] : []),
    // A mail client sends the host name to its server.
    "--allow-sys=hostname,networkInterfaces",
    "--v8-flags=--max-old-space-size=128",
    join(folder, "index.ts"),
  ];
  return spawn(installer.runInstall(), args, {
    cwd: folder,
    env: {
      ...Object.fromEntries(variables),
      ...{ DENO_DIR: cacheDir, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    },
    // A separate process group, so that Ctrl-C in a terminal does not interrupt the function during accepted requests.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

const defaultPorts: Record<string, string> = {
  ...{ "http:": "80", "https:": "443", "smtp:": "587", "smtps:": "465" },
};

/** The host and port of a URL; a pair of both stays as it is. */
function hostOf(address: string): string {
  if (!URL.canParse(address) || !/:\/\//.test(address)) return address;
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || defaultPorts[protocol]}`;
}

/** This header tells functions-js that the response does not come from the function. */
function relayError(status: number, message: string, seconds: number): Response {
  const headers = { "x-relay-error": "true", "retry-after": String(seconds) };
  return Response.json({ error: message }, { status, headers });
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** Node's fetch puts the reason into `cause`. */
function isConnectionRefused(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === "ECONNREFUSED";
}
