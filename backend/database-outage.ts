// The answer while the database cannot be used, and how a request comes to it.
// Covers: one body that the clients of REST, Auth, Storage and Functions each find their fields in.
import postgres from "postgres";
import { ConnectionLost } from "./database-socket.ts";

/** What a database tells of its connections. */
interface Readiness {
  isReady(): boolean;
  /** Aborts when the connections of this moment are lost; is aborted while there are none. */
  lost(): AbortSignal;
}

/** PostgreSQL is shutting down, starting, recovering, or has no connection left. */
const unavailableStates = new Set(["57P01", "57P02", "57P03", "53300"]);
/** Milliseconds after the loss: an answer that is already on its way counts. */
const graceAfterLoss = 50;
/** Seconds. */
const retryAfter = "2";

/** Runs `work` while the database can be used. When it cannot, or is lost meanwhile: 503. */
export async function whileAvailable(
  database: Readiness,
  work: () => Promise<Response>,
): Promise<Response> {
  if (!database.isReady()) return databaseUnavailable();
  const signal = database.lost();
  const lost = Promise.withResolvers<Response>();
  const onLost = () => setTimeout(() => lost.resolve(databaseUnavailable()), graceAfterLoss);
  signal.addEventListener("abort", onLost, { once: true });
  try {
    const response = await Promise.race([work(), lost.promise]);
    return signal.aborted && response.status >= 500 ? databaseUnavailable() : response;
  } catch (error) {
    if (signal.aborted || isUnavailable(error)) return databaseUnavailable();
    throw error;
  } finally {
    signal.removeEventListener("abort", onLost);
  }
}

/** For work that may succeed without the database: its own error, as a passing one. */
export async function blameDatabase(
  database: Readiness,
  work: () => Promise<Response>,
): Promise<Response> {
  const signal = database.lost();
  const response = await work();
  if (response.status < 500 || !signal.aborted) return response;
  const headers = new Headers(response.headers);
  headers.set("retry-after", retryAfter);
  return new Response(response.body, { status: 503, headers });
}

export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  if (error instanceof postgres.PostgresError) return unavailableStates.has(error.code);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET)/.test(code);
}

/** PostgreSQL could not write: error code 53100, or a limit on the size of files. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return (
    ["53100", "ENOSPC", "EDQUOT", "EFBIG"].includes(String(code)) ||
    /^could not (extend|write to|write) .*(No space left|File too large)/.test(error.message)
  );
}

export function databaseUnavailable(): Response {
  return failure(
    503,
    "Service Unavailable",
    "The database is not available right now. Please try again in a moment.",
    { "retry-after": retryAfter },
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
