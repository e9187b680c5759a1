// Edge Functions of the embedded backend: /functions/v1/{name}, run in Deno as on a hosted project.
// Covers: the site's functions without changes, their permitted callers and their settings. A function may continue after
// its response until its process stops (worker.ts). Does not cover: EdgeRuntime, WebSockets, import maps outside the
// function's own deno.json.
import { join } from "node:path";
import { type Authenticate, credentialsOf, sessionOf } from "../auth/authentication.ts";
import { HttpError } from "../errors.ts";
import { createWorker, type Worker } from "./worker.ts";

export interface Functions {
  fetch(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

export interface FunctionsOptions {
  /** The URL at which functions reach the backend. Its path may contain a secret. */
  siteUrl: string;
  publishableKey: string;
  secretKey: string;
  authenticate: Authenticate;
  /** Whether the account manages the site. */
  hasRole(userId: string): Promise<boolean>;
  /** Address of the visitor whose request is being handled. */
  visitorAddress: () => string | null;
  /** Further variables for `send-email`: the settings and secrets of the mail service. */
  mailEnvironment: Record<string, string | undefined>;
  log: (line: string) => void;
  /** The folder of Deno's cache, kept across restarts. */
  cacheDir: string;
}

/**
 * The callers of each function, besides those with the secret key. Rejecting others here saves starting a process; each
 * function also checks its caller, because a hosted project has no such list.
 */
const callers = new Map([
  ["send-email", "anyone"],
  ["invite-person", "people with a role"],
  ["remove-unused-images", "the secret key"],
]);

const functionsDir = join(import.meta.dirname, "../../../../supabase/functions");

/** The request headers that functions receive. Callers could forge others, such as the visitor's address. */
const FORWARDED = [
  ...["apikey", "authorization", "content-type", "idempotency-key", "origin", "x-turnstile-token"],
  ...["webhook-id", "webhook-timestamp", "webhook-signature"],
] as const;

export function startFunctions(options: FunctionsOptions): Functions {
  const { siteUrl, publishableKey, secretKey, authenticate, visitorAddress, cacheDir } = options;
  const workers = new Map<string, Worker>();

  return {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace(/^\/functions\/v1/, "");
      const name = path.split("/")[1] ?? "";
      const caller = callers.get(name);
      if (!caller) throw new HttpError(404, "NOT_FOUND", "Requested function was not found");
      if (caller !== "anyone" && !(await isAllowed(request, caller))) {
        const message = "This needs an account that manages the site, or the secret key";
        throw new HttpError(403, "FORBIDDEN", message);
      }
      const headers = new Headers();
      for (const header of FORWARDED) {
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
      return workerFor(name).fetch(path + search, sent);
    },
    async stop() {
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
    },
  };

  async function isAllowed(request: Request, caller: string): Promise<boolean> {
    const { apiKey, bearer } = credentialsOf(request);
    const identity = await authenticate(apiKey, bearer);
    if (identity?.role === "service_role") return true;
    const session = identity && sessionOf(identity.claims);
    return caller === "people with a role" && session !== null && options.hasRole(session.userId);
  }

  function workerFor(name: string): Worker {
    const worker =
      workers.get(name) ??
      createWorker({
        folder: join(functionsDir, name),
        environment: {
          ...(name === "send-email" && options.mailEnvironment),
          // A hosted project sets variables with the same names.
          SUPABASE_URL: siteUrl,
          SUPABASE_ANON_KEY: publishableKey,
          SUPABASE_SERVICE_ROLE_KEY: secretKey,
        },
        cacheDir,
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
