// Responses while the database is unavailable or cannot write.
// Covers: one body with the fields that the clients of REST, Auth, Storage and Functions read. Does not cover: recovering
// the database (postgres/supervisor.ts).
import postgres from "postgres";
import { ConnectionLost } from "./database.ts";
import { codeOf, HttpError } from "./errors.ts";

interface Readiness {
  isReady(): boolean;
  /** Aborts when the current connections are lost; already aborted while there are none. */
  lost(): AbortSignal;
}

/** SQLSTATEs of a PostgreSQL that is shutting down, starting, recovering, or has no connection left. */
const UNAVAILABLE = new Set(["57P01", "57P02", "57P03", "53300"]);
/** How long a response may still arrive after the connections are lost. */
const GRACE_MS = 50;
const RETRY_AFTER_SECONDS = "2";

/** Runs `work`, which needs the database. Responds with 503 when the database is unavailable or becomes so meanwhile. */
export async function requireDatabase(
  database: Readiness,
  work: () => Promise<Response>,
): Promise<Response> {
  if (!database.isReady()) return databaseUnavailable();
  const signal = database.lost();
  const lost = Promise.withResolvers<Response>();
  const onLost = () => setTimeout(() => lost.resolve(databaseUnavailable()), GRACE_MS);
  signal.addEventListener("abort", onLost, { once: true });
  try {
    const response = await Promise.race([work(), lost.promise]);
    return signal.aborted && response.status >= 500 ? databaseUnavailable() : response;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (signal.aborted || isUnavailable(error)) return databaseUnavailable();
    throw error;
  } finally {
    signal.removeEventListener("abort", onLost);
  }
}

/** Runs `work`, which may succeed without the database. Turns its 5xx responses during an outage into a 503 with Retry-After. */
export async function markOutageAsTemporary(
  database: Readiness,
  work: () => Promise<Response>,
): Promise<Response> {
  const signal = database.lost();
  const response = await work();
  if (response.status < 500 || !signal.aborted) return response;
  const headers = new Headers(response.headers);
  headers.set("retry-after", RETRY_AFTER_SECONDS);
  return new Response(response.body, { status: 503, headers });
}

export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  if (error instanceof postgres.PostgresError) return UNAVAILABLE.has(error.code);
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET)/.test(codeOf(error));
}

/** Whether PostgreSQL or Node could not write: SQLSTATE 53100, a full disk, or a limit on file sizes. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ["53100", "ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(error)) ||
    /^could not (extend|write to|write) .*(No space left|File too large)/.test(error.message)
  );
}

export function databaseUnavailable(): Response {
  return failure(
    503,
    "Service Unavailable",
    "The database is not available right now. Please try again in a moment.",
    { "retry-after": RETRY_AFTER_SECONDS },
  );
}

export function diskFull(): Response {
  return failure(
    507,
    "Insufficient Storage",
    "This could not be saved: the server has no room left. Please tell us by phone.",
    { "retry-after": "600" },
  );
}

function failure(
  status: number,
  error: string,
  message: string,
  headers: Record<string, string>,
): Response {
  return Response.json(
    {
      ...{ code: String(status), statusCode: String(status), error },
      ...{ message, msg: message, details: null, hint: null },
    },
    { status, headers: { "cache-control": "no-store", ...headers } },
  );
}
