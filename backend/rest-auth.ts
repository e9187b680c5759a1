// REST (PostgREST's protocol) and Auth (GoTrue's) of the embedded backend, by @supabase/lite.
// Covers: adapting the library to what a hosted project answers. Does not cover: what Auth requests may say
// (auth/auth-request.ts) and what they do (auth/auth-service.ts), storage, realtime, functions.
import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { App } from "@supabase/lite";
import { PostgresConnection } from "@supabase/lite/postgres";
import { passwordProblem } from "../supabase/functions/_shared/password.ts";
import { clientError } from "./client-error.ts";
import { socketOptions } from "./database.ts";
import { credentialsOf, type Identify } from "./identity.ts";
import {
  asPostgrestError,
  type DatabaseError,
  isDatabaseError,
  isRequestsFault,
} from "./postgrest-error.ts";
import { inheritedName, quoteFilterValues } from "./rest-filters.ts";
import type { Secrets } from "./secrets.ts";

export interface RestAuthOptions {
  databaseUrl: string;
  secrets: Secrets;
  identify: Identify;
  /** Public address of the site. */
  siteUrl: string;
  /** The visitor on whose behalf the code runs; null when nobody's. */
  visitorAddress?: () => string | null;
  /** A connection broke: this whole object is to be replaced. */
  onLost?: () => void;
}

export interface RestAuth {
  /** Creates the `auth` schema where it is missing. */
  prepare(): Promise<void>;
  /** Answers requests to REST. */
  fetch(request: Request): Promise<Response>;
  /** The library's answer to an Auth request that auth/auth-service.ts made. */
  callAuth(request: Request): Promise<Response>;
  /** Creates a confirmed account although sign-up is closed. @returns its id. */
  createUser(email: string, password: string): Promise<string>;
  stop(): Promise<void>;
}

/** What happens to one request, for the parts that the library calls without it. */
interface Call {
  /** Address of a visitor who writes. */
  writer: string | null;
  error?: DatabaseError;
}

export function createRestAuth(options: RestAuthOptions): RestAuth {
  const { databaseUrl, secrets, identify, siteUrl } = options;
  const calls = new AsyncLocalStorage<Call>();
  const connection = new ProjectConnection(
    databaseUrl,
    (error) => {
      const call = calls.getStore();
      if (call) call.error = error;
    },
    () => calls.getStore()?.writer ?? null,
    options.onLost ?? (() => {}),
  );
  const closed = createApp({ signUp: false });

  return {
    prepare: () => closed.ensureSystemSchema(),
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (!isRest(pathname)) {
        return Response.json({ code: 404, msg: "Not found" }, { status: 404 });
      }
      if (await hasBadToken(request)) return badToken();
      const name = inheritedName(search);
      if (name) return clientError(pathname, 400, "42703", `column ${name} does not exist`);
      const writer = request.method === "POST" ? (options.visitorAddress?.() ?? null) : null;
      return calls.run({ writer }, async () => {
        const response = await closed.fetch(asLibraryReads(request));
        return response.status >= 500
          ? asPostgrestError(response, calls.getStore()?.error)
          : response;
      });
    },
    callAuth: (request) => calls.run({ writer: null }, () => closed.fetch(request)),
    async createUser(email, password) {
      const problem = passwordProblem(password);
      if (problem) throw new Error(`Creating ${email} failed: ${problem}`);
      const { data, error } = await createApp({ signUp: true })
        .getClient()
        .auth.signUp({ email, password });
      if (error || !data.user) throw new Error(`Creating ${email} failed: ${error?.message}`);
      return data.user.id;
    },
    stop: () => connection.driver.end({ timeout: 0 }),
  };

  function createApp({ signUp }: { signUp: boolean }) {
    return new App({
      connection,
      auth: {
        enabled: true,
        jwt_secret: secrets.jwtSecret,
        publishable_key: secrets.publishableKey,
        secret_key: secrets.secretKey,
        site_url: siteUrl,
        enable_signup: signUp,
        minimum_password_length: 8,
      },
      options: { server: { admin: false } },
    });
  }

  /** The library takes tokens for any audience and of ended sessions, and torn ones for a visitor's. */
  async function hasBadToken(request: Request): Promise<boolean> {
    const { apiKey, bearer } = credentialsOf(request);
    return bearer !== null && (await identify(apiKey, bearer)) === null;
  }
}

/** As PostgREST says it, readable for a browser on another origin. */
function badToken(): Response {
  const message = "JWT is invalid or has expired";
  return Response.json(
    { code: "PGRST301", message, details: null, hint: null },
    {
      status: 401,
      headers: { "www-authenticate": "Bearer", "access-control-allow-origin": "*" },
    },
  );
}

/** The same request for a library that reads filters in its own way. */
function asLibraryReads(request: Request): Request {
  const url = new URL(request.url);
  if (!url.search) return request;
  url.search = quoteFilterValues(url.search);
  return new Request(url, request);
}

function isRest(pathname: string): boolean {
  return pathname.startsWith("/rest/v1");
}

class ProjectConnection extends PostgresConnection {
  readonly #onError: (error: DatabaseError) => void;
  readonly #writer: () => string | null;

  constructor(
    url: string,
    onError: (error: DatabaseError) => void,
    writer: () => string | null,
    onLost: () => void,
  ) {
    super({
      url,
      postgresOptions: {
        max: 10,
        onnotice: () => {},
        ...socketOptions(url, onLost),
        types: {
          timestamptz: { to: 1184, from: [1184], serialize: String, parse: toIsoTimestamp },
        },
      },
    });
    this.#onError = onError;
    this.#writer = writer;
    // The library would grant every API role everything on every table with policies at the first
    // request. Our migrations grant explicitly, as on a hosted project, so that step is skipped.
    Reflect.set(this, "rlsState", "active");
  }

  /** The database counts reviews by this header; on a hosted project Cloudflare sets it. */
  override withContext: PostgresConnection["withContext"] = (vars, work, options) => {
    const address = this.#writer();
    if (!vars || !address) return super.withContext(vars, work, options);
    return super.withContext(
      vars,
      async (db) => {
        const headers = JSON.stringify({ "cf-connecting-ip": address });
        await db
          .selectNoFrom(({ fn, val }) =>
            fn("set_config", [val("request.headers"), val(headers), val(true)]).as("headers"),
          )
          .execute();
        return work(db);
      },
      options,
    );
  };

  override normalizeDbError(thrown: unknown): unknown {
    const error = super.normalizeDbError(thrown);
    if (isDatabaseError(error)) this.#onError(error);
    if (error instanceof Error) {
      // The library logs the error whole, with the row that failed: personal data in a log.
      const line = describe(error);
      Object.defineProperty(error, inspect.custom, { value: () => line });
    }
    return error;
  }
}

/**
 * What a request did wrong is answered, not logged: anyone could fill the log with it. An empty line is
 * not written.
 */
function describe(error: Error): string {
  if (!isDatabaseError(error)) return `rest: ${inOneLine(error.message)}`;
  return isRequestsFault(error) ? "" : `rest: ${error.code} ${inOneLine(error.message)}`;
}

/** A visitor's words may stand in it: no lines of their own in the log, and no endless ones. */
function inOneLine(message: string): string {
  return message.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 300);
}

/** `2026-11-21 09:06:07.47+00` as PostgREST sends it: `2026-11-21T09:06:07.47+00:00`. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00");
}
