// Checks an uploaded image: a variant of it can be made, as visitors will download it, and nothing of it is missing.
import { readFile } from "node:fs/promises";
import pLimit from "p-limit";
import { imageWidths, maxImagePixels } from "../../app/config/image-address.ts";
import { ImageError } from "./image-sources.ts";
import { makeVariant } from "./make-variant.ts";

/** Images are checked one at a time: the check decodes the whole image, which can take hundreds of megabytes. */
const checking = pLimit(1);
/** The size that needs most of the image. WebP has the tightest limits. */
const largest = { width: Math.max(...imageWidths), height: null, format: "webp" } as const;
const endMarker = Buffer.from("ffd9", "hex");

/** @returns a sentence for the owner; null when every variant of the image in this file can be made */
export function findImageProblem(path: string): Promise<string | null> {
  return checking(async () => {
    const bytes = await readFile(path);
    const problem = await findProblem(bytes, "error");
    if (problem !== damaged || !isJpeg(bytes)) return problem;
    // Browsers show a JPEG whose end marker is missing. With one, the decoder warns of any other missing data.
    return findProblem(Buffer.concat([bytes, endMarker]), "warning");
  });
}

const damaged = "The image is damaged or incomplete";

async function findProblem(bytes: Buffer, failOn: "error" | "warning"): Promise<string | null> {
  try {
    await makeVariant(bytes, largest, failOn);
    return null;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    if (error.status === 503) {
      return "The image takes too long to decode. Please scale it down and try again";
    }
    const isTooLarge = error.cause instanceof Error && error.cause.message.includes("pixel limit");
    return isTooLarge
      ? `The image is too large: at most ${maxImagePixels / 1e6} megapixels`
      : damaged;
  }
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 3) === "\xff\xd8\xff";
}
