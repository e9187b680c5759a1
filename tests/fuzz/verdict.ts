import type { RawResponse } from "./raw-request.ts";

/** Describes what is wrong with a response; null when nothing is. */
export function problemOf({ status, text, isCutShort }: RawResponse): string | null {
  if (status === null && isCutShort) return null;
  if (status === null) return "The connection was closed without a response";
  if (status >= 500) return `Responded with ${status}`;
  if (/PostgresError|at (async )?\w+ \(.*:\d+:\d+\)|node_modules/.test(text)) {
    return "The response reveals internals of the server";
  }
  return null;
}
