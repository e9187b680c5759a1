// Database errors of REST as PostgREST reports them. The library responds with 500 to any error that it did not expect.
// Covers: 4xx for errors that the request caused. Does not cover: PostgREST's exact status for each code.
import { databaseUnavailable, diskFull, isDiskFull, isUnavailable } from "../database-outage.ts";

export interface DatabaseError {
  /** SQLSTATE, or a code of the driver when the database did not respond. */
  code: string;
  message: string;
}

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/**
 * SQLSTATE classes that the content of a request causes: unsupported, cardinality, bad data, constraint (such as a
 * CHECK), syntax or access, WITH CHECK, too complex, raised. A null character in a name causes 08P01. Our functions raise
 * PGRST with a status of their own.
 */
const REQUEST_ERRORS = /^((0A|21|22|23|42|44|54|P0)[0-9A-Z]{3}|08P01|PGRST)$/;

export function isRequestError({ code }: DatabaseError): boolean {
  return REQUEST_ERRORS.test(code);
}

/** Codes of the driver for a value that it cannot send. */
const UNSENDABLE = /^ERR_INVALID_ARG_/;

/**
 * Replaces the library's 5xx.
 * @param error of the database; undefined when the library failed before it sent a query.
 * @returns 4xx when the request caused the error, 503 during an outage, 507 when the disk is full
 */
export function asPostgrestError(response: Response, error: DatabaseError | undefined): Response {
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
