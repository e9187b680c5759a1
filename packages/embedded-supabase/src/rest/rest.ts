// The REST endpoint of the embedded backend: parses a request, lets the library execute it and reports the changed table.
// Covers: what the project offers (rest-api.ts). Does not cover: executing queries (rest-auth.ts).
import { HttpError } from "../errors.ts";
import { createQueue, runInOwnTurn } from "../rate-limits/shared-work.ts";
import type { RestApi } from "./rest-api.ts";
import { parseRestRequest } from "./rest-request.ts";

interface RestOptions {
  api: RestApi;
  /** Executes a request that the grammar built. */
  execute(request: Request): Promise<Response>;
  /** Called before the response is sent when at least one row of the table changed. */
  onRowsChanged(table: string): void;
  /** Called before the response to a request that ended sessions. */
  onSessionsEnded(): Promise<void>;
  visitorAddress(): string | null;
  isLimited: boolean;
}

/** REST and Auth share ten database connections. This limit keeps some free for signing in. */
const CONCURRENCY = {
  total: 8,
  perVisitor: 4,
  waitingPerVisitor: 40,
  waiting: 400,
  timeout: 3_000,
};

export function createRest(options: RestOptions) {
  const { api, onRowsChanged, onSessionsEnded, visitorAddress, isLimited } = options;
  const acquire = isLimited ? createQueue("in fair turns", CONCURRENCY, visitorAddress) : null;

  return async function handle(request: Request): Promise<Response> {
    const parsed = await parseRestRequest(api, request);
    const { changes, changedRows, endsSessions } = parsed;
    const response = await execute(parsed.request);
    if (!response.ok) return response;
    if (endsSessions) await onSessionsEnded();
    if (!changes) return response;
    if (changedRows === "body") {
      const body = await response.text();
      const rows: unknown = body === "" ? [] : JSON.parse(body);
      if (!Array.isArray(rows) || rows.length > 0) onRowsChanged(changes);
      return new Response(body === "" ? null : body, response);
    }
    const [, count] = response.headers.get("content-range")?.split("/") ?? [];
    if (!changedRows || Number(count) > 0) onRowsChanged(changes);
    return response;
  };

  async function execute(request: Request): Promise<Response> {
    if (!acquire) return options.execute(request);
    const response = await runInOwnTurn(acquire, () => options.execute(request), request.signal);
    if (response) return response;
    const message = "Too many requests at the same time. Please try again in a moment.";
    throw new HttpError(429, "over_request_rate_limit", message, { "retry-after": "1" });
  }
}
