// Checks the type of uploads: the first bytes match the declared one.
// Covers: jpeg, png, gif, webp, pdf. Does not cover: other types, which are rejected, and whether an image can be decoded,
// which the project decides (config.ts).
import { HttpError } from "../errors.ts";

/**
 * 2026-11-22: `file-type` is not used because it reads up to 4 KB and detects over a hundred formats (five packages), and
 * reports an animated PNG as another type.
 */
const signatures = new Map([
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/png", /^\x89PNG\r\n/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  ["application/pdf", /^%PDF-/],
]);

/** @param head the first twelve bytes */
export function matchesType(type: string, head: Buffer): boolean {
  return signatures.get(type)?.test(head.toString("latin1")) ?? false;
}

export function wrongType(type: string): HttpError {
  const message = `mime type ${type || "unknown"} is not supported, or the file is of another type`;
  return new HttpError(415, "invalid_mime_type", message);
}
