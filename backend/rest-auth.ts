// REST (PostgREST's protocol) and Auth (GoTrue's) of the embedded backend, by @supabase/lite.
// Covers: adapting the library to what a hosted project answers. Does not cover: what Auth requests may say
// (auth/auth-request.ts) and what they do (auth/auth-service.ts), storage, realtime, functions.
import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { App } from "@supabase/lite";
import { PostgresConnection } from "@supabase/lite/postgres";
import { passwordProblem } from "../supabase/functions/_shared/password.ts";
import { socketOptions } from "./database.ts";
import { credentialsOf, type Identify } from "./auth/authentication.ts";
import {
  asPostgrestError,
  type DatabaseError,
  isDatabaseError,
  isRequestsFault,
} from "./rest/postgrest-error.ts";
import type { Secrets } from "./secrets.ts";

export interface RestAuthOptions {
  databaseUrl: string;
  secrets: Secrets;
  identify: Identify;
  /** Public address of the site. */
  siteUrl: string;
  /** The visitor on whose behalf the code runs; null when nobody's. */
  visitorAddress?: () => string | null;
  /** Cancels the statement that a backend process runs, if it is still in the transaction that began then. */
  cancelTransaction?: (processId: number, began: string) => Promise<void>;
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
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
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
    () => calls.getStore() ?? null,
    options.cancelTransaction ?? (async () => {}),
    options.onLost ?? (() => {}),
  );
  const closed = createApp({ signUp: false });

  return {
    prepare: () => closed.ensureSystemSchema(),
    async fetch(request) {
      if (await hasBadToken(request)) return badToken();
      const writer = request.method === "POST" ? (options.visitorAddress?.() ?? null) : null;
      return calls.run({ writer, signal: request.signal }, async () => {
        const response = await closed.fetch(request);
        return response.status >= 500
          ? asPostgrestError(response, calls.getStore()?.error)
          : response;
      });
    },
    callAuth: (request) =>
      calls.run({ writer: null, signal: request.signal }, () => closed.fetch(request)),
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

/** As PostgREST says it. */
function badToken(): Response {
  const message = "JWT is invalid or has expired";
  return Response.json(
    { code: "PGRST301", message, details: null, hint: null },
    { status: 401, headers: { "www-authenticate": "Bearer" } },
  );
}

/** The reason of the signal may be a text, which the library would log. */
function throwIfDisconnected({ signal }: Call): void {
  if (signal.aborted) throw new Error("The client has disconnected");
}

/** Of every statement of REST and Auth, whichever role runs it. */
const STATEMENT_TIMEOUT_MS = 3_000;

class ProjectConnection extends PostgresConnection {
  readonly #onError: (error: DatabaseError) => void;
  readonly #currentCall: () => Call | null;
  readonly #cancelTransaction: (processId: number, began: string) => Promise<void>;

  constructor(
    url: string,
    onError: (error: DatabaseError) => void,
    currentCall: () => Call | null,
    cancelTransaction: (processId: number, began: string) => Promise<void>,
    onLost: () => void,
  ) {
    super({
      url,
      postgresOptions: {
        max: 10,
        connection: { statement_timeout: STATEMENT_TIMEOUT_MS },
        onnotice: () => {},
        ...socketOptions(url, onLost),
        types: {
          timestamptz: { to: 1184, from: [1184], serialize: String, parse: toIsoTimestamp },
        },
      },
    });
    this.#onError = onError;
    this.#currentCall = currentCall;
    this.#cancelTransaction = cancelTransaction;
    // The library would grant every API role everything on every table with policies at the first
    // request. Our migrations grant explicitly, as on a hosted project, so that step is skipped.
    Reflect.set(this, "rlsState", "active");
  }

  /** Runs a REST query in a transaction of its role. It is cancelled when the client disconnects. */
  override withContext: PostgresConnection["withContext"] = (vars, work, options) => {
    const call = this.#currentCall();
    if (!vars || !call) return super.withContext(vars, work, options);
    throwIfDisconnected(call);
    return super.withContext(
      vars,
      async (db) => {
        // The database counts reviews by this header; on a hosted project Cloudflare sets it.
        const headers = JSON.stringify(call.writer ? { "cf-connecting-ip": call.writer } : {});
        const { processId, began } = await db
          .selectNoFrom(({ fn, val }) => [
            fn("set_config", [val("request.headers"), val(headers), val(true)]).as("headers"),
            fn<number>("pg_backend_pid", []).as("processId"),
            fn<string>("now", []).as("began"),
          ])
          .executeTakeFirstOrThrow();
        const cancel = () => void this.#cancelTransaction(processId, began).catch(() => {});
        call.signal.addEventListener("abort", cancel, { once: true });
        try {
          throwIfDisconnected(call);
          return await work(db);
        } finally {
          call.signal.removeEventListener("abort", cancel);
        }
      },
      options,
    );
  };

  override normalizeDbError(thrown: unknown): unknown {
    const error = super.normalizeDbError(thrown);
    if (isDatabaseError(error)) this.#onError(error);
    if (error instanceof Error) {
      // The library logs the error whole, with the row that failed: personal data in a log.
      const line = this.#currentCall()?.signal.aborted ? "" : describe(error);
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
  if (!isDatabaseError(error)) {
    // The request could not be parsed; of an error in the library the message may quote the request.
    return error instanceof TypeError || error instanceof RangeError ? `rest: ${error.name}` : "";
  }
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
