// REST (PostgREST's protocol) and Auth (GoTrue's) of the embedded backend: adapts @supabase/lite to what a hosted project
// does. README.md lists the adapters. Covers: keys, roles, errors, logs, cancellation. Does not cover: what requests may
// contain (rest/rest-request.ts, auth/auth-request.ts), Auth's actions (auth/auth-service.ts).
import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { App } from "@supabase/lite";
import { PostgresConnection } from "@supabase/lite/postgres";
import { type Authenticate, credentialsOf } from "./auth/authentication.ts";
import { socketOptions } from "./database.ts";
import { databaseUnavailable, diskFull, isDiskFull, isUnavailable } from "./database-outage.ts";
import type { Secrets } from "./secrets.ts";

export interface RestAuthOptions {
  databaseUrl: string;
  secrets: Secrets;
  authenticate: Authenticate;
  /** Public address of the site. */
  siteUrl: string;
  /** Address of the visitor whose request is being handled; null for the site's own requests. */
  visitorAddress?: () => string | null;
  /** Cancels the statement that a server process is running. */
  cancelStatement?: (processId: number) => Promise<void>;
  /** Called when a connection breaks: replace the whole object. */
  onLost?: () => void;
}

export interface RestAuth {
  /** Creates the `auth` schema when it is missing. */
  prepare(): Promise<void>;
  /** Executes a REST request. */
  fetch(request: Request): Promise<Response>;
  /** Executes an Auth request that auth/auth-service.ts built. */
  callAuth(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

/** The state of one request, for the methods that the library calls without it. */
interface Call {
  /** Address of the visitor, when the request inserts. */
  writer: string | null;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Of the server process behind the request's connection, known after its first statement. */
  processId?: number;
  error?: DatabaseError;
}

export function createRestAuth(options: RestAuthOptions): RestAuth {
  const { secrets, authenticate, siteUrl } = options;
  const calls = new AsyncLocalStorage<Call>();
  const connection = new ProjectConnection(options, () => calls.getStore() ?? null);
  const app = new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: secrets.jwtSecret,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      site_url: siteUrl,
      enable_signup: false,
      minimum_password_length: 8,
    },
    options: { server: { admin: false } },
  });

  return {
    prepare: () => app.ensureSystemSchema(),
    async fetch(request) {
      if (await hasBadToken(request)) return badToken();
      const writer = request.method === "POST" ? (options.visitorAddress?.() ?? null) : null;
      return calls.run({ writer, signal: request.signal }, async () => {
        const response = await app.fetch(request);
        return response.status >= 500
          ? asPostgrestError(response, calls.getStore()?.error)
          : response;
      });
    },
    callAuth: (request) =>
      calls.run({ writer: null, signal: request.signal }, () => app.fetch(request)),
    stop: () => connection.driver.end({ timeout: 0 }),
  };

  /** The library accepts tokens for any audience and of ended sessions, and treats a malformed token as none. */
  async function hasBadToken(request: Request): Promise<boolean> {
    const { apiKey, bearer } = credentialsOf(request);
    return bearer !== null && (await authenticate(apiKey, bearer)) === null;
  }
}

/** As PostgREST responds. */
function badToken(): Response {
  const message = "JWT is invalid or has expired";
  return Response.json(
    { code: "PGRST301", message, details: null, hint: null },
    { status: 401, headers: { "www-authenticate": "Bearer" } },
  );
}

/** The library would log the reason of the signal if it were thrown. */
function throwIfDisconnected({ signal }: Call): void {
  if (signal.aborted) throw new Error("The client has disconnected");
}

/** Holds for every statement of REST and Auth, whatever its role. */
const STATEMENT_TIMEOUT_MS = 3_000;

class ProjectConnection extends PostgresConnection {
  readonly #currentCall: () => Call | null;
  readonly #cancelStatement: (processId: number) => Promise<void>;

  constructor(options: RestAuthOptions, currentCall: () => Call | null) {
    const { databaseUrl, cancelStatement = async () => {}, onLost = () => {} } = options;
    super({
      url: databaseUrl,
      postgresOptions: {
        max: 10,
        connection: { statement_timeout: STATEMENT_TIMEOUT_MS },
        onnotice: () => {},
        ...socketOptions(databaseUrl, onLost),
        types: {
          timestamptz: { to: 1184, from: [1184], serialize: String, parse: toIsoTimestamp },
        },
      },
    });
    this.#currentCall = currentCall;
    this.#cancelStatement = cancelStatement;
    this.#rememberProcessIds();
    // At the first request the library would grant every API role all privileges on every table with policies. Our
    // migrations grant privileges explicitly, as on a hosted project, so this skips that step.
    Reflect.set(this, "rlsState", "active");
  }

  /** The driver attaches the server's process id to each result, so no query has to ask for it. */
  #rememberProcessIds(): void {
    const { driver } = this;
    const reserve = driver.reserve;
    driver.reserve = async () => {
      const call = this.#currentCall();
      const connection = await reserve();
      if (!call) return connection;
      const { unsafe } = connection;
      return Object.assign(connection, {
        unsafe: (...query: Parameters<typeof unsafe>) => {
          const result = unsafe(...query);
          if (call.processId === undefined) {
            const remember = ({ state }: Awaited<typeof result>) => {
              call.processId = state.pid;
            };
            result.then(remember, () => {});
          }
          return result;
        },
      });
    };
  }

  /** Runs a REST query in a transaction of its role, and cancels it when the client disconnects. */
  override withContext: PostgresConnection["withContext"] = (vars, work, options) => {
    const call = this.#currentCall();
    if (!vars || !call) return super.withContext(vars, work, options);
    throwIfDisconnected(call);
    return super.withContext(
      vars,
      async (db) => {
        if (call.writer) {
          // The database counts reviews by this header; on a hosted project Cloudflare sets it.
          const headers = JSON.stringify({ "cf-connecting-ip": call.writer });
          await db
            .selectNoFrom(({ fn, val }) => [
              fn("set_config", [val("request.headers"), val(headers), val(true)]).as("headers"),
            ])
            .execute();
        }
        let cancelled: Promise<void> | undefined;
        const cancel = () => {
          if (call.processId) cancelled = this.#cancelStatement(call.processId).catch(() => {});
        };
        call.signal.addEventListener("abort", cancel, { once: true });
        try {
          throwIfDisconnected(call);
          return await work(db);
        } finally {
          call.signal.removeEventListener("abort", cancel);
          // Until then the connection stays reserved, so that the cancellation cannot hit another request.
          await cancelled;
        }
      },
      options,
    );
  };

  override normalizeDbError(thrown: unknown): unknown {
    const error = super.normalizeDbError(thrown);
    const call = this.#currentCall();
    if (call && isDatabaseError(error)) call.error = error;
    if (error instanceof Error) {
      // The library logs the whole error with the row that failed, which is personal data.
      const line = call?.signal.aborted ? "" : describe(error);
      Object.defineProperty(error, inspect.custom, { value: () => line });
    }
    return error;
  }
}

/** The log line for an error; empty for errors that the request caused, because anyone could fill the log with them. */
function describe(error: Error): string {
  if (!isDatabaseError(error)) {
    // The request could not be parsed. The message of a bug in the library may quote the request.
    return error instanceof TypeError || error instanceof RangeError ? `rest: ${error.name}` : "";
  }
  return isRequestError(error) ? "" : `rest: ${error.code} ${inOneLine(error.message)}`;
}

/** The message may quote input of a visitor, which must not add lines to the log or make it endless. */
function inOneLine(message: string): string {
  return message.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 300);
}

/** `2026-11-21 09:06:07.47+00` as PostgREST sends it: `2026-11-21T09:06:07.47+00:00`. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00");
}

interface DatabaseError {
  /** SQLSTATE, or a code of the driver when the database did not respond. */
  code: string;
  message: string;
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/**
 * SQLSTATE classes that the content of a request causes: unsupported, cardinality, bad data, constraint (such as a
 * CHECK), syntax or access, WITH CHECK, too complex, raised. A null character in a name causes 08P01. Our functions raise
 * PGRST with a status of their own.
 */
const REQUEST_ERRORS = /^((0A|21|22|23|42|44|54|P0)[0-9A-Z]{3}|08P01|PGRST)$/;

function isRequestError({ code }: DatabaseError): boolean {
  return REQUEST_ERRORS.test(code);
}

/** Codes of the driver for a value that it cannot send. */
const UNSENDABLE = /^ERR_INVALID_ARG_/;

/**
 * Replaces the library's 5xx.
 * @param error of the database; undefined when the library failed before it sent a query.
 * @returns 4xx when the request caused the error, 503 during an outage, 507 when the disk is full
 */
function asPostgrestError(response: Response, error: DatabaseError | undefined): Response {
  if (isUnavailable(error)) return databaseUnavailable();
  if (isDiskFull(error)) return diskFull();
  const reached = error && !UNSENDABLE.test(error.code) ? error : undefined;
  const { code, message } = reached ?? {
    code: "PGRST100",
    message: "The request could not be understood",
  };
  return Response.json(
    { code, message, details: null, hint: null },
    { status: reached && !isRequestError(reached) ? response.status : 400 },
  );
}
