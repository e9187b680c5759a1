/** The maximum length in characters. */
export const maxQueryLength = 200;

/** Normalizes the text of a search for URLs and for the database. */
export function cleanQuery(text: string): string {
  // PostgreSQL rejects NUL, and JSON with half a surrogate pair.
  const clean = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return [...clean].slice(0, maxQueryLength).join("").trim();
}
