// Makes a reduced copy of an image, from which its variants are made: each large image is decoded once, in a process of its
// own, one at a time.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { createQueue } from "embedded-supabase/rate-limits/shared-work.ts";
import type { Metadata, SharpOptions } from "sharp";
import { imageWidths, maxImagePixels, wideHeight } from "../../app/config/image-address.ts";
import { findSizeProblem } from "./decoding-memory.ts";
import { ImageError } from "./image-sources.ts";
import { hasPhotoSignature, loadSharp } from "./load-sharp.ts";

export const damaged =
  "The image is damaged or incomplete. Please export it again, or choose another one";
export const tooSlow = "The image takes too long to decode. Please scale it down and try again";

/** Smaller images are decoded in the site's process: they need little memory, and a process takes time to start. */
const maxOwnPixels = 3_000_000;
/** Reading the headers of larger files can take much memory as well: a GIF of 50 MB has up to 3 million frames. */
const maxOwnBytes = 4 * 1024 * 1024;
/** The maximum number of pixels of a reduced copy. Only images that are over three times as high as wide get narrower by it. */
const maxPixels = 8_000_000;
/** The maximum width and height of a JPEG. */
const maxSide = 65_000;
const timeout = 60_000;
/** One decoder of a large image at a time in the whole process, whoever wants it. */
const decoding = createQueue("for the site", 1);

/**
 * @param failOn how much of an image may be missing: anything by default, because browsers show such images as well
 * @returns a JPEG, or a PNG for an image with an alpha channel; null for an image that is small enough to be decoded often
 * @throws ImageError 422 when the image cannot or may not be decoded, 503 after the timeout
 */
export async function reduceLarge(
  original: Buffer,
  failOn: SharpOptions["failOn"] = "none",
): Promise<Buffer | null> {
  if (!(await isLarge(original))) return null;
  return decoding.run(() => reduceInProcess(original, failOn));
}

/** Like `reduceLarge`, for an image of any size. */
export async function reduceImage(
  original: Buffer,
  failOn: SharpOptions["failOn"],
): Promise<Buffer> {
  const reduced = await reduceLarge(original, failOn);
  return reduced ?? decoding.run(() => reduceHere(original, failOn));
}

async function isLarge(original: Buffer): Promise<boolean> {
  if (original.length > maxOwnBytes) return true;
  const { width, height } = await readMetadata(original);
  return width * height > maxOwnPixels;
}

async function readMetadata(original: Buffer): Promise<Metadata> {
  if (!hasPhotoSignature(original)) throw new ImageError(422, damaged);
  const sharp = await loadSharp();
  let metadata: Metadata;
  try {
    metadata = await sharp(original, { limitInputPixels: false, failOn: "none" }).metadata();
  } catch (error) {
    throw new ImageError(422, damaged, { cause: error });
  }
  const problem = findSizeProblem(original, metadata);
  if (problem) throw new ImageError(422, problem);
  return metadata;
}

/** Decodes in this process. */
export async function reduceHere(
  original: Buffer,
  failOn: SharpOptions["failOn"],
): Promise<Buffer> {
  const { width, height, orientation, autoOrient, hasAlpha } = await readMetadata(original);
  const scale = scaleOf(autoOrient);
  const sharp = await loadSharp();
  const reduced = sharp(original, { failOn, limitInputPixels: maxImagePixels })
    .resize({
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      fit: "fill",
    })
    // Variants apply the rotation: here it would need the whole image in memory.
    .withExif({ IFD0: { Orientation: String(orientation ?? 1) } })
    .timeout({ seconds: timeout / 1000 });
  try {
    return await (hasAlpha
      ? reduced.png({ compressionLevel: 1 })
      : reduced.jpeg({ quality: 95, chromaSubsampling: "4:4:4", optimiseCoding: false })
    ).toBuffer();
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) {
      throw new ImageError(503, tooSlow, { cause: error });
    }
    throw new ImageError(422, damaged, { cause: error });
  }
}

/** Large enough for the largest variant, also for one that is cropped to 16:9. */
function scaleOf({ width, height }: { width: number; height: number }): number {
  const largest = Math.max(...imageWidths);
  return Math.min(
    1,
    Math.max(largest / width, wideHeight(largest) / height),
    Math.sqrt(maxPixels / (width * height)),
    maxSide / Math.max(width, height),
  );
}

/** Decodes in another process, whose memory is free again afterwards. */
async function reduceInProcess(original: Buffer, failOn: SharpOptions["failOn"]): Promise<Buffer> {
  const main = join(import.meta.dirname, "reduce-image-main.ts");
  const child = spawn(process.execPath, [main, String(failOn)], {
    stdio: ["pipe", "pipe", "pipe"],
    timeout,
    killSignal: "SIGKILL",
  });
  // The process may end before it has read the image.
  child.stdin.on("error", () => {});
  child.stdin.end(original);
  const ended = new Promise<{ code: number | null; error?: Error }>((resolve) => {
    child.once("close", (code) => resolve({ code }));
    child.once("error", (error) => resolve({ code: null, error }));
  });
  const [bytes, message, { code, error }] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    ended,
  ]);
  if (code === 0) return bytes;
  if (code === 1) throw new ImageError(422, message);
  throw new ImageError(503, tooSlow, { cause: error ?? new Error(message) });
}
