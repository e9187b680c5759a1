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

// What comes along when an address or a number is copied: directional marks and characters without width, spaces of all kinds.
const marks = "\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff";
const unseen = `\\s${marks}`;
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

/** Removes directional marks and characters without width, also inside the text. */
export function removeMarks(text: string): string {
  return text.replace(new RegExp(`[${marks}]`, "g"), "");
}

/** An email address as it is seen. None has marks, which a web page can have for its line breaks. */
export function trimAddress(text: string): string {
  return removeMarks(trimUnseen(text));
}

/** Replaces characters of full width and the digits of Arabic and Persian. Not by NFKC, for which ² is a 2. */
export function toAscii(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll("\u066b", ".")
    .replaceAll("\u066c", ",");
}
