// The REST endpoint of the embedded backend: parses a request, lets the library execute it and reports the changed table.
// Covers: what the project offers (rest-api.ts). Does not cover: executing queries (rest-auth.ts).
import { HttpError } from "../errors.ts";
import { createConcurrencyLimit } from "../rate-limits/concurrency-limit.ts";
import { visitorKey } from "../rate-limits/rate-limit.ts";
import type { RestApi } from "./rest-api.ts";
import { parseRestRequest, type RestRequest } from "./rest-request.ts";

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
  const limit = isLimited ? createConcurrencyLimit(CONCURRENCY) : null;

  return async function handle(request: Request): Promise<Response> {
    const parsed = await parseRestRequest(api, request);
    const response = await execute(parsed.request);
    const called = parsed.writes === null ? api.functions[parsed.name] : undefined;
    if (called?.changes && response.ok) onRowsChanged(called.changes);
    // The names of tables and functions are distinct.
    if (response.ok && api.functions[parsed.name]?.endsSessions) await onSessionsEnded();
    if (!parsed.writes || !response.ok) return response;
    return afterWrite(parsed, response);
  };

  async function execute(request: Request): Promise<Response> {
    if (!limit) return options.execute(request);
    const address = visitorAddress();
    const release = await limit.acquire(address && visitorKey(address), request.signal);
    if (!release) {
      const message = "Too many requests at the same time. Please try again in a moment.";
      throw new HttpError(429, "over_request_rate_limit", message, { "retry-after": "1" });
    }
    try {
      return await options.execute(request);
    } finally {
      release();
    }
  }

  /** Reports the changed table. The grammar requests a row count when the rows themselves are not returned. */
  async function afterWrite({ name, isReturned }: RestRequest, response: Response) {
    if (!isReturned) {
      const [, count] = response.headers.get("content-range")?.split("/") ?? [];
      if (Number(count) > 0) onRowsChanged(name);
      return response;
    }
    const body = await response.text();
    const rows: unknown = body === "" ? [] : JSON.parse(body);
    if (!Array.isArray(rows) || rows.length > 0) onRowsChanged(name);
    return new Response(body === "" ? null : body, response);
  }
}
