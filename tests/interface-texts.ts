// What the site itself says, in pieces: a piece ends where an element or a value stands.

/** Splits a text at values and drops pieces without words. */
export function pieces(text: string): string[] {
  return decode(text)
    .split(/[\d…]+/)
    .map((piece) => piece.replace(/\s+/g, " ").replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ""))
    .filter((piece) => /\p{L}{2}/u.test(piece));
}

export function decode(text: string): string {
  return text
    .replace(/&(#x27|#39|apos);/g, "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll("\u00a0", " ");
}
