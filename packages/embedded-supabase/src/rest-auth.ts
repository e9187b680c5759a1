// REST (PostgREST's protocol) and Auth (GoTrue's) of the embedded backend: makes @supabase/lite behave like a hosted
// project. README.md lists the adaptations. Covers: keys, roles, errors, logs, cancellation. Does not cover: the content of
// requests (rest/rest-request.ts, auth/auth-request.ts), Auth's actions (auth/auth-service.ts).
import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { decodeJwt } from "jose";
import { type Authenticate, credentialsOf } from "./auth/authentication.ts";
import { STATEMENT_TIMEOUT_MS, socketOptions } from "./database.ts";
import { databaseUnavailable, diskFull, isDiskFull, isUnavailable } from "./database-outage.ts";
import { HttpError } from "./errors.ts";
import { App, PostgresConnection } from "./lite.ts";
import type { Secrets } from "./secrets.ts";

interface RestAuthOptions {
  databaseUrl: string;
  secrets: Secrets;
  authenticate: Authenticate;
  /** The public address of the site. */
  siteUrl: string;
  visitorAddress?: () => string | null;
  /** Cancels the current statement of a server process. */
  cancelStatement: (processId: number) => Promise<void>;
  /** Called when a connection breaks. The whole object must be replaced then. */
  onLost: () => void;
}

export type RestAuth = ReturnType<typeof createRestAuth>;

/** The state of one request, for methods that the library calls without passing it. */
interface Call {
  /** The visitor's address, if the request inserts a row. */
  writer: string | null;
  /** Whether the site itself reads. Its statements are few, while visitors could invent endless others. */
  isSite: boolean;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** The id of the server process behind the request's connection, known after its first statement. */
  processId?: number;
  error?: DatabaseError;
}

export function createRestAuth(options: RestAuthOptions) {
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
    /** Creates the `auth` schema when it is missing. */
    prepare: () => app.ensureSystemSchema(),
    /** Executes a REST request. */
    async fetch(request: Request): Promise<Response> {
      if (await hasBadToken(request)) return badToken(request);
      const visitor = options.visitorAddress?.() ?? null;
      const writer = request.method === "POST" ? visitor : null;
      const call = { writer, isSite: visitor === null, signal: request.signal };
      return calls.run(call, async () => {
        const response = await app.fetch(request);
        return response.status >= 500
          ? asPostgrestError(response, calls.getStore()?.error)
          : response;
      });
    },
    /** Executes an Auth request that auth/auth-service.ts built. */
    callAuth: (request: Request): Promise<Response> =>
      calls.run({ writer: null, isSite: false, signal: request.signal }, () => app.fetch(request)),
    stop: () => connection.driver.end({ timeout: 0 }),
  };

  /** Rejects what the library accepts: tokens for any audience, and malformed ones. */
  async function hasBadToken(request: Request): Promise<boolean> {
    const { apiKey, bearer } = credentialsOf(request);
    return bearer !== null && (await authenticate(apiKey, bearer)) === null;
  }
}

/** As PostgREST responds since version 13. */
function badToken(request: Request): Response {
  const [code, message] = hasExpired(credentialsOf(request).bearer ?? "")
    ? (["PGRST303", "JWT expired"] as const)
    : (["PGRST301", "JWT is invalid"] as const);
  return new HttpError(401, code, message, { "www-authenticate": "Bearer" }).toResponse("/rest/");
}

function hasExpired(token: string): boolean {
  try {
    return (decodeJwt(token).exp ?? Number.POSITIVE_INFINITY) * 1000 <= Date.now();
  } catch {
    return false;
  }
}

/** A thrown signal's reason would be logged by the library. */
function throwIfDisconnected({ signal }: Call): void {
  if (signal.aborted) throw new Error("The client has disconnected");
}

class ProjectConnection extends PostgresConnection {
  readonly #currentCall: () => Call | null;
  readonly #cancelStatement: (processId: number) => Promise<void>;

  constructor(options: RestAuthOptions, currentCall: () => Call | null) {
    const { databaseUrl, cancelStatement, onLost } = options;
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
    this.#wrapStatements();
  }

  /**
   * The driver attaches the server's process id to each result, so no query has to ask for it. It prepares statements that
   * repeat, each of which would otherwise take two round trips.
   */
  #wrapStatements(): void {
    const { driver } = this;
    const reserve = driver.reserve;
    driver.reserve = async () => {
      const call = this.#currentCall();
      const connection = await reserve();
      if (!call) return connection;
      const { unsafe } = connection;
      return Object.assign(connection, {
        unsafe: (text: string, values: Parameters<typeof unsafe>[1]) => {
          const prepare = call.isSite || text.startsWith("select set_config(");
          const result = unsafe(text, values, { prepare });
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

  /**
   * Runs a REST query in a transaction of its role, and cancels it when the client disconnects. Replaces the library's
   * method, which sends up to eleven statements for the settings and at first grants every role all privileges.
   */
  override withContext: InstanceType<typeof PostgresConnection>["withContext"] = (
    vars,
    work,
    options,
  ) => {
    const call = this.#currentCall();
    if (!vars) return super.withContext(vars, work, options);
    if (!call) throw new Error("A query with a role runs in a request only");
    throwIfDisconnected(call);
    return this.kysely.transaction().execute(async (db) => {
      const settings = Object.entries(settingsOf(vars, call));
      await db
        .selectNoFrom(({ fn, val }) =>
          settings.map(([name, value]) =>
            fn("set_config", [val(name), val(value), val(true)]).as(name),
          ),
        )
        .execute();
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
        // Reserves the connection until then, so that the cancellation cannot hit another request.
        await cancelled;
      }
    });
  };

  override normalizeDbError(thrown: unknown): unknown {
    const error = super.normalizeDbError(thrown);
    const call = this.#currentCall();
    if (call && isDatabaseError(error)) call.error = error;
    if (error instanceof Error) {
      // The library would log the whole error with the failed row, which is personal data.
      const line = call?.signal.aborted ? "" : describe(error);
      Object.defineProperty(error, inspect.custom, { value: () => line });
    }
    return error;
  }
}

/** The settings of a transaction, which policies and functions read. The library verified the token. */
function settingsOf(vars: Record<string, unknown>, { writer }: Call): Record<string, string> {
  // As its method reads it. The library's type has no fields.
  const {
    role = "anon",
    uid,
    jwt,
  } = (vars.auth ?? {}) as { role?: string; uid?: string; jwt?: object };
  return {
    role,
    "request.jwt.claim.sub": uid ?? "",
    "request.jwt.claim.role": role,
    "request.jwt.claims": JSON.stringify(jwt ?? {}),
    // The database can count inserted rows by this header. On a hosted project, Cloudflare sets it.
    "request.headers": writer ? JSON.stringify({ "cf-connecting-ip": writer }) : "",
  };
}

/** The log line for an error; empty for errors that a request caused, because anyone could fill the log with them. */
function describe(error: Error): string {
  if (!isDatabaseError(error)) {
    // The request could not be parsed, or the library has a bug, whose message may quote the request.
    return error instanceof TypeError || error instanceof RangeError ? `rest: ${error.name}` : "";
  }
  return isRequestError(error) ? "" : `rest: ${error.code} ${inOneLine(error.message)}`;
}

/** Shortens a message to one line: it may quote a visitor's input, which must not add lines to the log or flood it. */
function inOneLine(message: string): string {
  return message.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 300);
}

/** Formats `2026-11-21 09:06:07.47+00` as PostgREST does: `2026-11-21T09:06:07.47+00:00`. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00");
}

interface DatabaseError {
  /** A SQLSTATE, or a code of the driver when the database did not respond. */
  code: string;
  message: string;
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/**
 * SQLSTATE classes of errors that the content of a request causes: unsupported, cardinality, bad data, constraint (such as a
 * CHECK), syntax or access, WITH CHECK, too complex, raised. A NUL in a name causes 08P01. Our functions raise PGRST with a
 * status of their own.
 */
const REQUEST_ERRORS = /^((0A|21|22|23|42|44|54|P0)[0-9A-Z]{3}|08P01|PGRST)$/;

function isRequestError({ code }: DatabaseError): boolean {
  return REQUEST_ERRORS.test(code);
}

/** The driver's codes for a value that it cannot send. */
const UNSENDABLE = /^ERR_INVALID_ARG_/;

/**
 * Replaces the library's 5xx.
 * @param error of the database; undefined when the library failed before it sent a query
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
  const status = reached && !isRequestError(reached) ? response.status : 400;
  return new HttpError(status, code, message).toResponse("/rest/");
}
