import { HttpError } from "../errors.ts";

/** An error as Auth of a hosted project responds: supabase-js reads the code from the header. */
export function authError(status: number, code: string, message: string): HttpError {
  return new HttpError(status, code, message, { "x-sb-error-code": code });
}
