import type { RawAnswer } from "./raw-request.ts";

/** Describes what is wrong with a response; null when nothing is. */
export function complaintAbout({ status, text, isPromiseBroken }: RawAnswer): string | null {
  if (status === null && isPromiseBroken) return null;
  if (status === null) return "The connection was closed without an answer";
  if (status >= 500) return `Answered ${status}`;
  if (/PostgresError|at (async )?\w+ \(.*:\d+:\d+\)|node_modules/.test(text)) {
    return "The answer shows the inside of the server";
  }
  return null;
}
