// Edge Functions of the embedded backend: /functions/v1/{name}, run in Deno as on a hosted project.
// Covers: supabase/functions/*/index.ts unchanged, who may call them and what they may reach. Until its process stops
// (worker.ts), a function may continue after its response. Does not cover: EdgeRuntime, WebSockets, import maps outside
// the function's own deno.json.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Authenticate, credentialsOf, sessionOf } from "../auth/authentication.ts";
import { createWorker, type Worker } from "./worker.ts";

export interface Functions {
  fetch(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

export interface FunctionsOptions {
  /** Contains a folder per function. */
  functionsDir: string;
  /** Who may call each function. Only tests have others than those of the site. */
  callers?: Readonly<Record<string, Caller>>;
  /** Where the functions reach the backend. Its path may contain a secret. */
  siteUrl: string;
  publishableKey: string;
  secretKey: string;
  authenticate: Authenticate;
  /** Whether the account manages the site. */
  hasRole(userId: string): Promise<boolean>;
  /** Address of the visitor whose request is being handled. */
  visitorAddress?: () => string | null;
  /** The environment variables of a function: the secrets that it needs. */
  environment: (name: string) => Record<string, string | undefined>;
  log: (line: string) => void;
  /** Deno's cache, kept across restarts. */
  cacheDir: string;
  /** Milliseconds per call. */
  timeLimit?: number;
}

type Caller = "anyone" | "people with a role";

/**
 * All other functions need the secret key, which is always enough. Rejecting others here starts no process; each function
 * checks its caller, too, because a hosted project has no such list.
 */
const siteCallers: Readonly<Record<string, Caller>> = {
  "send-email": "anyone",
  "invite-person": "people with a role",
};

const FUNCTION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Headers that are not forwarded: they describe one connection or the encoded body. */
const NOT_FORWARDED = [
  ...["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "expect"],
  ...["host", "content-length", "content-encoding", "accept-encoding", "x-runner-secret"],
  // Any client can claim these addresses.
  ...["forwarded", "x-forwarded-for", "x-real-ip", "true-client-ip", "cf-connecting-ip"],
];

export function startFunctions(options: FunctionsOptions): Functions {
  const { functionsDir, callers = siteCallers, authenticate, timeLimit = 30_000 } = options;
  const log = (line: string) => options.log(withoutSecrets(line, options));
  const workers = new Map<string, Worker>();

  return {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace(/^\/functions\/v1/, "");
      const name = path.split("/")[1] ?? "";
      if (!FUNCTION_NAME.test(name) || !existsSync(join(functionsDir, name, "index.ts"))) {
        return failure(404, "NOT_FOUND", "Requested function was not found");
      }
      if (!(await isAllowed(request, name))) {
        const message = "This needs an account that manages the site, or the secret key";
        return failure(403, "FORBIDDEN", message);
      }
      return invoke(request, name, path + search);
    },
    async stop() {
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
    },
  };

  async function isAllowed(request: Request, name: string): Promise<boolean> {
    const caller = Object.hasOwn(callers, name) ? callers[name] : undefined;
    if (caller === "anyone") return true;
    const { apiKey, bearer } = credentialsOf(request);
    const identity = await authenticate(apiKey, bearer);
    if (identity?.role === "service_role") return true;
    const session = identity && caller ? sessionOf(identity.claims) : null;
    return session !== null && options.hasRole(session.userId);
  }

  async function invoke(request: Request, name: string, path: string): Promise<Response> {
    // In memory already and at most 64 kB: request-bounds.ts.
    const body = await request.arrayBuffer();
    const headers = withoutHopHeaders(request.headers);
    headers.set("accept-encoding", "identity");
    const address = options.visitorAddress?.();
    // On a hosted project Cloudflare sets it.
    if (address) headers.set("cf-connecting-ip", address);
    const response = await workerFor(name).fetch(path, {
      method: request.method,
      headers,
      body: body.byteLength > 0 ? body : null,
    });
    const { status } = response;
    return new Response(response.body, { status, headers: withoutHopHeaders(response.headers) });
  }

  function workerFor(name: string): Worker {
    const known = workers.get(name);
    if (known) return known;
    const { cacheDir } = options;
    // Code of another user in the cache would run with the secret key.
    mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
    const environment = definedOnly({
      ...options.environment(name),
      // The names that a hosted project sets.
      SUPABASE_URL: options.siteUrl,
      SUPABASE_ANON_KEY: options.publishableKey,
      SUPABASE_SERVICE_ROLE_KEY: options.secretKey,
    });
    const reachable = reachableHosts(environment);
    const worker = createWorker({
      ...{ name, functionsDir, environment, reachable, cacheDir, timeLimit, log },
    });
    workers.set(name, worker);
    return worker;
  }
}

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/** Removes the secrets that the stack of a failed request may quote. */
function withoutSecrets(line: string, { siteUrl, secretKey }: FunctionsOptions): string {
  const { origin } = new URL(siteUrl);
  const withoutAddress = line.replaceAll(siteUrl, origin);
  return secretKey === "" ? withoutAddress : withoutAddress.replaceAll(secretKey, "[secret key]");
}

/** The only hosts that a function may connect to: the backend, the mail service and Turnstile. */
function reachableHosts(environment: Record<string, string>): string[] {
  const hosts = ["SUPABASE_URL", "SMTP_URL", "TURNSTILE_SITEVERIFY_URL"].flatMap((name) =>
    environment[name] ? hostAndPort(environment[name], name) : [],
  );
  if (environment.RESEND_API_KEY) hosts.push("api.resend.com:443");
  if (environment.TURNSTILE_SECRET_KEY && !environment.TURNSTILE_SITEVERIFY_URL) {
    hosts.push("challenges.cloudflare.com:443");
  }
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
  // The message omits the value, which may contain a password.
  if (!url?.hostname || !port) throw new Error(`${setting} is not an address with a host`);
  return `${url.hostname}:${port}`;
}

function withoutHopHeaders(headers: Headers): Headers {
  const forwarded = new Headers(headers);
  for (const name of NOT_FORWARDED) forwarded.delete(name);
  return forwarded;
}

function failure(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}
