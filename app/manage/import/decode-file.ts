/**
 * The text of a file, which often has another encoding than it declares. The bytes decide: what is valid UTF-8 is UTF-8, also in
 * a file that mixes encodings.
 */
export function decodeFile(file: Uint8Array): string {
  const start = new TextDecoder("latin1").decode(file.subarray(0, 1000));
  const utf16 = /^(?:ÿþ|<\0)/.test(start)
    ? "utf-16le"
    : /^(?:þÿ|\0<)/.test(start)
      ? "utf-16be"
      : "";
  const [, declared = ""] = /<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/.exec(start) ?? [];
  // Text in this encoding is ASCII, which is valid UTF-8.
  const isEscaped = /^(?:csiso2022|iso-2022)/i.test(declared) && file.includes(0x1b);
  const first = utf16 || (isEscaped ? declared : "utf-8");
  for (const encoding of [first, declared]) {
    const text =
      /^utf-?8$/i.test(encoding) && encoding !== first ? null : tryDecoding(file, encoding);
    if (text !== null) return text;
  }
  return decodeMixed(file);
}

function tryDecoding(file: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file);
  } catch {
    // An unknown or wrong encoding.
    return null;
  }
}

/** UTF-8, except for bytes that are not valid: they are what Windows wrote in Western languages. */
function decodeMixed(file: Uint8Array): string {
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  const windows = new TextDecoder("windows-1252");
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < file.length; ) {
    const length = sequenceLength(file, at);
    if (length === 0) {
      parts.push(utf8.decode(file.subarray(start, at)), windows.decode(file.subarray(at, at + 1)));
      start = at + 1;
    }
    at += length || 1;
  }
  parts.push(utf8.decode(file.subarray(start)));
  return parts.join("");
}

/** How many bytes the character has in UTF-8; 0 when it is none. */
function sequenceLength(file: Uint8Array, at: number): number {
  const first = file[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const rest = file.subarray(at + 1, at + length);
  const isSequence = first >= 0xc2 && first <= 0xf4 && rest.length === length - 1;
  return isSequence && rest.every((byte) => (byte & 0xc0) === 0x80) ? length : 0;
}
