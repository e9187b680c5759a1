/**
 * What a text of one line must not have: control characters with tabs and line breaks, and the line breaks of Unicode.
 * Inside brackets of a regular expression, which JavaScript and PostgreSQL read alike; private.is_one_line has the same.
 */
export const lineBreaks = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029";

export function isOneLine(text: string): boolean {
  return !new RegExp(`[${lineBreaks}]`).test(text);
}

/** Replaces what the database rejects in a text of one line by blanks. */
export function toOneLine(text: string): string {
  return text.replace(new RegExp(`[${lineBreaks}]+`, "g"), " ");
}
