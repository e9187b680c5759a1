/** In characters. */
export const maxQueryLength = 200;

/** The text of a search as it is in URLs and sent to the database. */
export function cleanQuery(text: string): string {
  // PostgreSQL rejects NUL, and JSON with half a surrogate pair.
  const clean = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return [...clean].slice(0, maxQueryLength).join("").trim();
}
