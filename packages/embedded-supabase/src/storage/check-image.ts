// Checks uploads: the first bytes match the declared type, and an image can be decoded.
// Covers: jpeg, png, gif, webp; of an animation the first frame; of a PDF the first bytes. Does not cover: other types, which
// are rejected.
import pLimit from "p-limit";
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

/** The maximum number of pixels: more than cameras have. Larger images are rejected before they are decoded. */
const maxPixels = 100_000_000;
const timeoutSeconds = 30;
/** Images are decoded one at a time, because a large one can take hundreds of megabytes. */
const decoding = pLimit(1);

/** @param head the first twelve bytes */
export function matchesType(type: string, head: Buffer): boolean {
  return signatures.get(type)?.test(head.toString("latin1")) ?? false;
}

export function wrongType(type: string): HttpError {
  const message = `mime type ${type || "unknown"} is not supported, or the file is of another type`;
  return new HttpError(415, "invalid_mime_type", message);
}

/** @throws HttpError 400 when the image is damaged, incomplete, or too large to decode */
export async function assertDecodable(path: string): Promise<void> {
  await decoding(() => decode(path));
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
    const isTooLarge = error instanceof Error && error.message.includes("pixel limit");
    const message = isTooLarge
      ? "The image is too large: at most 100 megapixels"
      : "The image is damaged or incomplete";
    throw new HttpError(400, "InvalidImage", message);
  }
}
