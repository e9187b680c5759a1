// Checks an uploaded image: its data is complete, and its variants can be made.
import { readFile } from "node:fs/promises";
import pLimit from "p-limit";
import type { Sharp, SharpOptions } from "sharp";
import { imageWidths } from "../../app/config/image-address.ts";
import { ImageError } from "./image-sources.ts";
import { isJpeg, loadSharp, makeVariant, maxPixels, timeoutSeconds } from "./make-variant.ts";

/** Images are checked one at a time, because a large one can take hundreds of megabytes. */
const checking = pLimit(1);
/** The variant that decodes most pixels. */
const largest = { width: Math.max(...imageWidths), height: null, format: "webp" } as const;
const endMarker = Buffer.from("ffd9", "hex");

/** @returns a sentence for the owner; null when the file is an image of which every variant can be made */
export function findImageProblem(path: string): Promise<string | null> {
  return checking(async () => {
    try {
      await assertComplete(path);
      await makeVariant(await readFile(path), largest);
      return null;
    } catch (error) {
      return describe(error);
    }
  });
}

function describe(error: unknown): string {
  if (isTooLarge(error)) {
    return `The image is too large: at most ${maxPixels / 1e6} megapixels`;
  }
  const isSlow =
    (error instanceof ImageError && error.status === 503) ||
    (error instanceof Error && /timeout/i.test(error.message));
  return isSlow
    ? "The image takes too long to decode: scale it down and try again"
    : "The image is damaged or incomplete";
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.message.includes("pixel limit");
}

/** @throws sharp's error */
async function assertComplete(path: string): Promise<void> {
  const sharp = await loadSharp();
  const decode = async (image: string | Buffer, failOn: SharpOptions["failOn"]) =>
    readAll(sharp(image, { limitInputPixels: maxPixels, failOn, sequentialRead: true }));
  try {
    await decode(path, "error");
  } catch (error) {
    // Browsers show a JPEG whose end marker is missing. With one, the decoder only warns of other missing data.
    const bytes = await readFile(path);
    if (!isJpeg(bytes) || isTooLarge(error)) throw error;
    await decode(Buffer.concat([bytes, endMarker]), "warning");
  }
}

/** Decodes every pixel and keeps almost none in memory. */
async function readAll(image: Sharp): Promise<void> {
  await image
    .resize(8, 8, { fit: "fill", fastShrinkOnLoad: false })
    .timeout({ seconds: timeoutSeconds })
    .raw()
    .toBuffer();
}
