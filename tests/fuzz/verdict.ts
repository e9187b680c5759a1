import type { RawResponse } from "./raw-request.ts";

/** Describes what is wrong with a response; null when nothing is. */
export function problemOf({ status, text, isCutShort }: RawResponse): string | null {
  if (status === null && isCutShort) return null;
  if (status === null) return "The connection was closed without an answer";
  if (status >= 500) return `Answered ${status}`;
  if (/PostgresError|at (async )?\w+ \(.*:\d+:\d+\)|node_modules/.test(text)) {
    return "The answer shows the inside of the server";
  }
  return null;
}
