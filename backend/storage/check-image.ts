// Checks uploaded images: the first bytes match the declared type, and the image can be decoded.
// Covers: jpeg, png, gif, webp; of an animation the first frame. Does not cover: other types, which are not checked.
import pLimit from "p-limit";
import { invalidImage } from "./storage-error.ts";

/** The number of bytes that `matchesDeclaredType` needs. */
export const headLength = 12;

/**
 * 2026-11-22: `file-type` is not used because it reads up to 4 KB and detects over a hundred formats (five packages), and
 * reports an animated PNG as another type.
 */
const signatures: Record<string, (head: Buffer) => boolean> = {
  "image/jpeg": (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  "image/png": (head) => head.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  "image/gif": (head) => /^GIF8[79]a/.test(head.toString("latin1")),
  "image/webp": (head) => /^RIFF.{4}WEBP/s.test(head.toString("latin1")),
};

/** More than cameras have. Larger images are rejected before they are decoded. */
const maxPixels = 100_000_000;
const timeoutSeconds = 30;
/** One large image can take hundreds of megabytes while it is decoded. */
const decoding = pLimit(1);

/** True for types without a signature. */
export function matchesDeclaredType(type: string, head: Buffer): boolean {
  return signatures[type]?.(head) ?? true;
}

/** @throws StorageError 400 when the file is damaged, incomplete, or too large to decode. */
export async function assertDecodable(path: string, contentType: string): Promise<void> {
  if (Object.hasOwn(signatures, contentType)) await decoding(() => decode(path));
}

async function decode(path: string): Promise<void> {
  // Loaded with the first image, so that the site starts faster.
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    await sharp(path, { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true })
      // Decodes every pixel and keeps almost none in memory.
      .resize(8, 8, { fit: "fill", fastShrinkOnLoad: false })
      .timeout({ seconds: timeoutSeconds })
      .raw()
      .toBuffer();
  } catch (error) {
    if (error instanceof Error && error.message.includes("pixel limit")) {
      throw invalidImage("The image is too large: at most 100 megapixels");
    }
    throw invalidImage("The image is damaged or incomplete");
  }
}
