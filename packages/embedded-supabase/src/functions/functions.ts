// Edge Functions of the embedded backend: /functions/v1/{name}, run in Deno as on a hosted project.
// Covers: the project's functions without changes, their permitted callers and their settings. A function may continue after
// its response until its process stops (worker.ts). Does not cover: EdgeRuntime, WebSockets, import maps outside the
// function's own deno.json.
import { join } from "node:path";
import { type Authenticate, credentialsOf, sessionOf } from "../auth/authentication.ts";
import { lacksSecondStep } from "../auth/factors.ts";
import type { EmbeddedConfig, FunctionConfig, FunctionEnvironment } from "../config.ts";
import type { Sql } from "../database.ts";
import { HttpError } from "../errors.ts";
import { createWorker, type Worker } from "./worker.ts";

export type Functions = ReturnType<typeof startFunctions>;

interface FunctionsOptions {
  config: EmbeddedConfig;
  sql: Sql;
  /** The URL at which functions reach the backend. Its path may contain a secret. */
  siteUrl: string;
  publishableKey: string;
  secretKey: string;
  authenticate: Authenticate;
  visitorAddress: () => string | null;
  /** Further variables by the name of the function. */
  environments: Readonly<Record<string, FunctionEnvironment>>;
  log: (line: string) => void;
  /** The folder of Deno's cache, kept across restarts. */
  cacheDir: string;
}

/** The request headers that functions receive. Callers could forge others, such as the visitor's address. */
const FORWARDED = [
  ...["apikey", "authorization", "content-type", "origin"],
  ...["webhook-id", "webhook-timestamp", "webhook-signature"],
];

export function startFunctions(options: FunctionsOptions) {
  const { config, sql, siteUrl, publishableKey, secretKey, authenticate, visitorAddress } = options;
  const workers = new Map<string, Worker>();

  return {
    async fetch(request: Request): Promise<Response> {
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace(/^\/functions\/v1/, "");
      const name = path.split("/")[1] ?? "";
      const called = Object.hasOwn(config.functions, name) ? config.functions[name] : undefined;
      if (!called) throw new HttpError(404, "NOT_FOUND", "Requested function was not found");
      if (!(await isAllowed(request, called.callers))) {
        const message = "This needs an account that manages the site, or the secret key";
        throw new HttpError(403, "FORBIDDEN", message);
      }
      const headers = new Headers();
      for (const header of [...FORWARDED, ...(called.headers ?? [])]) {
        const value = request.headers.get(header);
        if (value !== null) headers.set(header, value);
      }
      const address = visitorAddress();
      // On a hosted project, Cloudflare sets this header.
      if (address) headers.set("cf-connecting-ip", address);
      // The body is in memory already and has at most 64 kB (request-bounds.ts).
      const body = await request.arrayBuffer();
      const { method } = request;
      const sent = { method, headers, ...(body.byteLength > 0 && { body }) };
      return workerFor(name, called).fetch(path + search, sent);
    },
    async stop(): Promise<void> {
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
    },
  };

  async function isAllowed(request: Request, callers: FunctionConfig["callers"]): Promise<boolean> {
    if (callers === "anyone") return true;
    const { apiKey, bearer } = credentialsOf(request);
    const identity = await authenticate(apiKey, bearer);
    if (identity?.role === "service_role") return true;
    const session = identity && sessionOf(identity.claims);
    if (callers === "secret key" || !session) return false;
    return (await callers(sql, session.userId)) && !(await lacksSecondStep(sql, identity.claims));
  }

  function workerFor(name: string, { hosts = () => [], closedHosts }: FunctionConfig): Worker {
    const environment = options.environments[name] ?? {};
    const worker =
      workers.get(name) ??
      createWorker({
        folder: join(config.supabaseDir, "functions", name),
        environment: {
          ...environment,
          // A hosted project sets variables with the same names.
          SUPABASE_URL: siteUrl,
          SUPABASE_ANON_KEY: publishableKey,
          SUPABASE_SERVICE_ROLE_KEY: secretKey,
        },
        hosts: hosts(environment),
        closedHosts,
        cacheDir: options.cacheDir,
        // These secrets are removed from the log, because the stack of a failed request may quote them.
        log: (line) =>
          options.log(
            line.replaceAll(siteUrl, new URL(siteUrl).origin).replaceAll(secretKey, "[secret key]"),
          ),
      });
    workers.set(name, worker);
    return worker;
  }
}
