// Whether a file's first bytes are what its declared type says.
// Covers: jpeg, png, gif, webp. Does not cover: any other type, which is taken at its word.

/** How many bytes `matchesDeclaredType` wants to see. */
export const headLength = 12;

const signatures: Record<string, (head: Buffer) => boolean> = {
  "image/jpeg": (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  "image/png": (head) => head.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  "image/gif": (head) => /^GIF8[79]a/.test(head.toString("latin1")),
  "image/webp": (head) => /^RIFF.{4}WEBP/s.test(head.toString("latin1")),
};

/** Whether the type is one whose content is checked. */
export function isCheckedType(type: string): boolean {
  return Object.hasOwn(signatures, type);
}

export function matchesDeclaredType(type: string, head: Buffer): boolean {
  return signatures[type]?.(head) ?? true;
}
