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

// What comes along when an address or a number is copied: spaces of all kinds, directional marks, characters without width.
const unseen =
  "\\s\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff";
const isUnseen = new RegExp(`[${unseen}]`);

/** Removes what nobody sees around a text. */
export function trimUnseen(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isUnseen.test(text.charAt(start))) start++;
  while (start < end && isUnseen.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Removes what nobody sees, also inside the text. */
export function removeUnseen(text: string): string {
  return text.replace(new RegExp(`[${unseen}]`, "g"), "");
}
