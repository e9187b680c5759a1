// A refused REST request in PostgREST's error shape, which supabase-js reads.

/** Thrown while a request is parsed. `code` is PostgREST's or a SQLSTATE. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  toResponse(headers: Record<string, string> = {}): Response {
    const { status, code, message } = this;
    return Response.json(
      { code, message, details: null, hint: null },
      { status, headers: { "cache-control": "no-store", ...headers } },
    );
  }
}

/** The query has a part that PostgREST may know and this backend does not offer. */
export function notOffered(what: string): RestError {
  return new RestError(400, "PGRST100", `This API does not offer ${what}`);
}
