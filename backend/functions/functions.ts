// Edge functions of the embedded backend: /functions/v1/{name}, run in Deno as on a hosted project.
// Covers: supabase/functions/*/index.ts unchanged, keys, limits, restarts. A function's process starts
// at its first call and rests after ten idle minutes; until then it may go on after an answer. Does not
// cover: EdgeRuntime, WebSockets, import maps outside the function's own deno.json.
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentialsOf, type Identify } from "../auth/authentication.ts";
import { functionsUser } from "./confinement.ts";
import { startDeno } from "./deno-process.ts";
import { needsKey } from "./function-settings.ts";
import { createWorker, type Worker, WorkerTimedOut, WorkerUnavailable } from "./worker.ts";

export interface Functions {
  fetch(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

export interface FunctionsOptions {
  /** Holds a folder per function; `config.toml` lies beside it. */
  functionsDir: string;
  /** Where the functions reach the backend. Its path may be a secret. */
  siteUrl: string;
  publishableKey: string;
  secretKey: string;
  identify: Identify;
  /** Of the visitor on whose behalf the code runs. */
  visitorAddress?: () => string | null;
  /** What the functions may know of the environment. */
  environment: Record<string, string | undefined>;
  log: (line: string) => void;
  /** Deno's cache, kept from start to start. Without it: a temporary folder. */
  cacheDir?: string;
  /** Milliseconds per call. */
  timeLimit?: number;
}

const largestBody = 1024 * 1024;
const functionName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Of one connection, or no longer true once the body has been decoded. */
const notPassedOn = [
  ...["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "expect"],
  ...["host", "content-length", "content-encoding", "accept-encoding", "x-runner-secret"],
  // Anyone's claims about who asks.
  ...["forwarded", "x-forwarded-for", "x-real-ip", "true-client-ip", "cf-connecting-ip"],
];

export function startFunctions(options: FunctionsOptions): Functions {
  const { functionsDir, identify, timeLimit = 30_000 } = options;
  const log = (line: string) => options.log(withoutSecrets(line, options));
  const environment = functionEnvironment(options);
  const reachable = reachableHosts(options);
  let temporaryDir: string | null = null;
  const workers = new Map<string, Worker>();

  return {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace(/^\/functions\/v1/, "");
      const name = path.split("/")[1] ?? "";
      if (!functionName.test(name) || !existsSync(join(functionsDir, name, "index.ts"))) {
        return failure(404, "NOT_FOUND", "Requested function was not found");
      }
      if (request.method !== "OPTIONS" && !(await isAllowed(request, name))) {
        return failure(401, "UNAUTHORIZED", "Missing or invalid key or token");
      }
      const body = await readBody(request);
      if (body === null) return failure(413, "BODY_TOO_LARGE", "The request body is over 1 MB");
      return invoke(request, name, path + search, body);
    },
    async stop() {
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
      if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true });
    },
  };

  async function isAllowed(request: Request, name: string): Promise<boolean> {
    if (!needsKey(readConfig(functionsDir), name)) return true;
    const { apiKey, bearer } = credentialsOf(request);
    return (await identify(apiKey, bearer)) !== null;
  }

  async function invoke(
    request: Request,
    name: string,
    path: string,
    body: Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    const headers = withoutHopHeaders(request.headers);
    headers.set("accept-encoding", "identity");
    const address = options.visitorAddress?.();
    // Cloudflare sets it in front of a hosted project.
    if (address) headers.set("cf-connecting-ip", address);
    try {
      const response = await workerFor(name).fetch(path, {
        method: request.method,
        headers,
        body: body.length > 0 ? body : null,
      });
      const { status } = response;
      return new Response(response.body, { status, headers: withoutHopHeaders(response.headers) });
    } catch (error) {
      // The mark of functions-js for "not the function's own answer".
      const relay = { "x-relay-error": "true" };
      if (error instanceof WorkerTimedOut) {
        return failure(504, "TIMEOUT", "The function did not answer in time", relay);
      }
      const seconds = error instanceof WorkerUnavailable ? error.retryAfterSeconds : 1;
      return failure(503, "UNAVAILABLE", "The function is not available. Please try again.", {
        ...relay,
        "retry-after": String(seconds),
      });
    }
  }

  function workerFor(name: string): Worker {
    const known = workers.get(name);
    if (known) return known;
    const cacheDir = options.cacheDir ?? makeTemporaryDir();
    prepareCacheDir(cacheDir);
    const start = () => startDeno({ name, functionsDir, environment, reachable, cacheDir, log });
    const worker = createWorker(start, timeLimit);
    workers.set(name, worker);
    return worker;
  }

  /** Random and private: another user's code in the cache would run with the secret key. */
  function makeTemporaryDir(): string {
    temporaryDir ??= mkdtempSync(join(tmpdir(), "functions-"));
    return temporaryDir;
  }
}

/** Readable by the functions' user only; Deno would make it readable for everyone. */
function prepareCacheDir(folder: string): void {
  const user = process.getuid?.() === 0 ? functionsUser : undefined;
  // A cache that Deno wrote as another user could not be written again.
  if (user !== undefined && existsSync(folder) && statSync(folder).uid !== user) {
    rmSync(folder, { recursive: true });
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(folder, user, user);
}

/** The names that a hosted project sets, and what the site passes on. */
function functionEnvironment(options: FunctionsOptions): Record<string, string> {
  const given = Object.entries(options.environment).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return {
    ...Object.fromEntries(given),
    SUPABASE_URL: options.siteUrl,
    SUPABASE_ANON_KEY: options.publishableKey,
    SUPABASE_SERVICE_ROLE_KEY: options.secretKey,
  };
}

/** The stack of a failed request quotes its address and may quote its key. */
function withoutSecrets(line: string, { siteUrl, secretKey }: FunctionsOptions): string {
  const { origin } = new URL(siteUrl);
  const withoutAddress = line.replaceAll(siteUrl, origin);
  return secretKey === "" ? withoutAddress : withoutAddress.replaceAll(secretKey, "[secret key]");
}

/** The backend, the mail service and Turnstile: a function connects to nothing else. */
function reachableHosts({ siteUrl, environment }: FunctionsOptions): string[] {
  const hosts = [hostAndPort(siteUrl, "SUPABASE_URL")];
  if (environment.SMTP_URL) hosts.push(hostAndPort(environment.SMTP_URL, "SMTP_URL"));
  if (environment.RESEND_API_KEY) hosts.push("api.resend.com:443");
  if (environment.TURNSTILE_SITEVERIFY_URL) {
    hosts.push(hostAndPort(environment.TURNSTILE_SITEVERIFY_URL, "TURNSTILE_SITEVERIFY_URL"));
  } else if (environment.TURNSTILE_SECRET_KEY) hosts.push("challenges.cloudflare.com:443");
  return hosts;
}

const defaultPorts: Record<string, string> = {
  "http:": "80",
  "https:": "443",
  "smtp:": "587",
  "smtps:": "465",
};

function hostAndPort(address: string, setting: string): string {
  const url = URL.parse(address);
  const port = url?.port || defaultPorts[url?.protocol ?? ""];
  // Without the value: it may hold a password.
  if (!url?.hostname || !port) throw new Error(`${setting} is not an address with a host`);
  return `${url.hostname}:${port}`;
}

function readConfig(functionsDir: string): string {
  const file = join(functionsDir, "../config.toml");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Null when it is too large. A body that breaks off rejects: nobody waits for the answer. */
async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done || !value) return Buffer.concat(chunks);
    size += value.length;
    if (size > largestBody) {
      reader?.releaseLock();
      return null;
    }
    chunks.push(value);
  }
}

function withoutHopHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of notPassedOn) kept.delete(name);
  return kept;
}

function failure(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ code, message }, { status, headers });
}
