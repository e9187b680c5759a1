// The REST endpoint of the embedded backend: parses a request by the grammar, lets the library execute it and tells
// which table changed. Covers: what rest-api.ts lists. Does not cover: executing queries (rest-auth.ts).
import { createConcurrencyLimit } from "../rate-limits/concurrency-limit.ts";
import { visitorKey } from "../rate-limits/visitor-key.ts";
import { RestError } from "./rest-error.ts";
import { parseRestRequest, type RestRequest } from "./rest-request.ts";

export interface RestOptions {
  /** Executes a request that the grammar has built. */
  execute(request: Request): Promise<Response>;
  /** Called before the answer is sent when at least one row of the table changed. */
  onRowsChanged(table: string): void;
  /** Whose request is handled; null for the site's own. */
  visitorAddress(): string | null;
  /** Whether a visitor can only have a few requests at the same time. */
  isLimited: boolean;
}

/** The database has ten connections for REST and Auth: some stay free for signing in. */
const CONCURRENCY = {
  total: 8,
  perVisitor: 4,
  waitingPerVisitor: 40,
  waiting: 400,
  timeout: 3_000,
};

export function createRest(options: RestOptions) {
  const { onRowsChanged, visitorAddress, isLimited } = options;
  const limit = isLimited ? createConcurrencyLimit(CONCURRENCY) : null;

  return async function handle(request: Request): Promise<Response> {
    const parsed = await parseRestRequest(request).catch((error: unknown) => {
      if (error instanceof RestError) return error.toResponse();
      throw error;
    });
    if (parsed instanceof Response) return parsed;
    const response = await execute(parsed.request);
    if (!parsed.writes || !response.ok) return response;
    return parsed.preferences.includes("return=representation")
      ? withReturnedRows(parsed, response)
      : withCountedRows(parsed, response);
  };

  async function execute(request: Request): Promise<Response> {
    if (!limit) return options.execute(request);
    const address = visitorAddress();
    const release = await limit.acquire(address && visitorKey(address), request.signal);
    if (!release) {
      const message = "Too many requests at the same time. Please try again in a moment.";
      return new RestError(429, "over_request_rate_limit", message).toResponse({
        "retry-after": "1",
      });
    }
    try {
      return await options.execute(request);
    } finally {
      release();
    }
  }

  async function withReturnedRows({ name }: RestRequest, response: Response): Promise<Response> {
    const body = await response.text();
    const rows: unknown = body === "" ? [] : JSON.parse(body);
    if (!Array.isArray(rows) || rows.length > 0) onRowsChanged(name);
    return new Response(body === "" ? null : body, response);
  }

  /** Removes from the answer what the grammar had added to the preferences. */
  function withCountedRows({ name, preferences }: RestRequest, response: Response): Response {
    const headers = new Headers(response.headers);
    const count = headers.get("content-range")?.split("/")[1];
    if (Number(count) > 0) onRowsChanged(name);
    if (!preferences.includes("count=exact")) headers.set("content-range", "*/*");
    headers.delete("preference-applied");
    if (preferences.length > 0) headers.set("preference-applied", preferences.join(", "));
    return new Response(null, { status: response.status, headers });
  }
}
