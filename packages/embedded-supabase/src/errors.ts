// The errors that the backend reports: a rejected request, and a start that cannot succeed. The code of any other error.
// Covers: the error body that each client of supabase-js expects. Does not cover: database outages
// (database-outage.ts), the response when a function's process fails (functions/worker.ts).

/** Rejects the request. Services throw this error; the gateway turns it into the response. */
export class HttpError extends Error {
  readonly status: number;
  /** The service's code: PostgREST's or a SQLSTATE for REST, GoTrue's for Auth. */
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  /** @param pathname selects the shape of the body */
  toResponse(pathname: string): Response {
    return Response.json(this.#body(pathname), {
      status: this.status,
      headers: { "cache-control": "no-store", ...this.headers },
    });
  }

  #body(pathname: string): object {
    const { status, code, message } = this;
    if (pathname.startsWith("/auth/")) return { code: status, error_code: code, msg: message };
    if (pathname.startsWith("/rest/")) return { code, message, details: null, hint: null };
    if (pathname.startsWith("/storage/")) {
      return { statusCode: String(status), error: code, message };
    }
    return { error: message };
  }
}

/** An error as Auth of a hosted project responds: supabase-js reads the code from the header. */
export function authError(status: number, code: string, message: string): HttpError {
  return new HttpError(status, code, message, { "x-sb-error-code": code });
}

/** The SQLSTATE of PostgreSQL, or the code of Node or the database driver; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The site cannot start. The message says how to fix it and is printed without a stack. */
export class StartError extends Error {}
