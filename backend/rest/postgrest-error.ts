// Whose fault an error of REST is. The library answers 500 wherever it did not expect the error.
// Covers: what PostgREST blames on the request. Does not cover: its exact status for each code.

import { databaseUnavailable, diskFull, isDiskFull, isUnavailable } from "../database-outage.ts";

export interface DatabaseError {
  /** SQLSTATE, or the driver's own code when no database answered. */
  code: string;
  message: string;
}

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/**
 * SQLSTATE classes that a request brings about by what it asks: unsupported, cardinality, bad data,
 * a broken constraint (such as a CHECK), syntax or access, WITH CHECK, too complex, raised. 08P01 is
 * what a null character inside a name makes of the protocol.
 */
const requestsFault = /^((0A|21|22|23|42|44|54|P0)[0-9A-Z]{3}|08P01)$/;

export function isRequestsFault({ code }: DatabaseError): boolean {
  return requestsFault.test(code);
}

/** What the driver says when the library hands it a value that it can't send. */
const unsendable = /^ERR_INVALID_ARG_/;

/**
 * A 4xx in place of the library's 5xx when the request is to blame.
 * @param error what the database said; undefined when the request never reached it: then the library
 * failed over what it read.
 * @returns 503 while the database is away, 507 when its disk is full
 */
export function asPostgrestError(response: Response, error: DatabaseError | undefined): Response {
  if (isUnavailable(error)) return databaseUnavailable();
  if (isDiskFull(error)) return diskFull();
  const reached = error && !unsendable.test(error.code) ? error : undefined;
  const { code, message } = reached ?? {
    code: "PGRST100",
    message: "The request could not be understood",
  };
  return Response.json(
    { code, message, details: null, hint: null },
    { status: reached && !isRequestsFault(reached) ? response.status : 400 },
  );
}
