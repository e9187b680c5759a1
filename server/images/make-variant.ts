// Makes one variant of an image. Removes metadata (place, time, camera) after applying its rotation, and keeps only the
// first frame of an animation, which visitors could not stop.
import type { Sharp, SharpOptions } from "sharp";
import { maxImagePixels } from "../../app/config/image-address.ts";
import type { ImageFormat } from "./image-request.ts";
import { ImageError } from "./image-sources.ts";

interface VariantShape {
  width: number;
  height: number | null;
  format: ImageFormat;
}

export interface Variant {
  bytes: Buffer;
  extension: "avif" | "webp" | "jpg" | "png";
}

/** Part of the names of cached variants. Increase it to remake them after a change of this file. */
export const recipe = "2";

const timeoutSeconds = 30;
/** The maximum height in pixels that all formats have in common, which is that of WebP. */
const maxHeight = 16_383;
/**
 * The size limit of a variant. A grainy photo gets a lower quality instead of more bytes, so that 1200 x 675, the size
 * for a phone of 390 px, stays below 60 KB.
 */
const bitsPerPixel = 0.57;
/** Tried in order until a variant is small enough. The last one is used at any size. */
const qualities = {
  avif: [52, 42, 32, 22],
  webp: [72, 55, 38, 22, 10],
  jpg: [76, 62, 46, 30],
};

/**
 * @param failOn how much of an image may be missing: anything by default, because browsers show such images as well, and whether
 * the decoder reaches the missing part depends on the size
 * @throws ImageError 422 when the bytes are not a valid image, 503 after the timeout
 */
export async function makeVariant(
  original: Buffer,
  shape: VariantShape,
  failOn: SharpOptions["failOn"] = "none",
): Promise<Variant> {
  if (!hasPhotoSignature(original)) throw new ImageError(422, "This is not a photo");
  const sharp = await loadSharp();
  try {
    return await scale(sharp, original, shape, failOn);
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) {
      throw new ImageError(503, "The image takes too long", { cause: error });
    }
    throw new ImageError(422, "The image can't be decoded", { cause: error });
  }
}

async function scale(
  sharp: SharpModule,
  original: Buffer,
  { width, height, format }: VariantShape,
  failOn: SharpOptions["failOn"],
): Promise<Variant> {
  const image = sharp(original, {
    limitInputPixels: maxImagePixels,
    failOn,
    autoOrient: true,
  });
  const { autoOrient } = await image.metadata();
  const size = targetSize(autoOrient, width, height);
  const { data, info } = await image
    .resize({ ...size, fit: "cover" })
    .timeout({ seconds: timeoutSeconds })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const transparent = hasTransparency(data, info.channels);

  // Keeps the scaled pixels, because decoding the source again for another quality would be slow.
  const pixels = () => {
    const { width, height, channels } = info;
    const scaled = sharp(data, { raw: { width, height, channels } }).timeout({
      seconds: timeoutSeconds,
    });
    return transparent ? scaled : scaled.removeAlpha();
  };
  const maxBytes = (info.width * info.height * bitsPerPixel) / 8;
  if (format === "fallback" && transparent) {
    return { extension: "png", bytes: await pixels().png({ palette: true }).toBuffer() };
  }
  const extension = format === "fallback" ? "jpg" : format;
  let bytes = Buffer.alloc(0);
  for (const quality of qualities[extension]) {
    bytes = await encode(pixels(), extension, quality).toBuffer();
    if (bytes.length <= maxBytes) break;
  }
  return { extension, bytes };
}

function encode(pixels: Sharp, extension: keyof typeof qualities, quality: number): Sharp {
  if (extension === "avif") {
    // Effort 4 takes many times as long and saves only a few percent.
    return pixels.avif({ quality, effort: 3, chromaSubsampling: "4:2:0" });
  }
  if (extension === "webp") return pixels.webp({ quality });
  return pixels.jpeg({ quality, mozjpeg: true });
}

/** The size of a variant: never larger than the source; with a height, in the aspect ratio of width and height. */
function targetSize(
  source: { width: number; height: number },
  width: number,
  height: number | null,
) {
  if (height === null) {
    const scaled = Math.min(width, source.width, (maxHeight * source.width) / source.height);
    return {
      width: atLeastOne(scaled),
      height: atLeastOne((scaled * source.height) / source.width),
    };
  }
  const ratio = width / height;
  const scaled = atLeastOne(Math.min(width, source.width, source.height * ratio));
  return { width: scaled, height: atLeastOne(scaled / ratio) };
}

function atLeastOne(length: number): number {
  return Math.max(1, Math.round(length));
}

function hasTransparency(data: Buffer, channels: number): boolean {
  if (channels !== 2 && channels !== 4) return false;
  for (let alpha = channels - 1; alpha < data.length; alpha += channels) {
    if (data[alpha] !== 255) return true;
  }
  return false;
}

/**
 * Accepts JPEG, PNG, GIF, WebP and AVIF. sharp would decode more formats, such as SVG.
 * 2026-11-22: `file-type` is not used because it detects over a hundred formats (five packages) where five signatures in
 * the first 12 bytes are enough.
 */
function hasPhotoSignature(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, 12);
  return /^(\xff\xd8\xff|\x89PNG\r\n.\n|GIF8[79]a|RIFF.{4}WEBP|.{4}ftypavi[fs])/s.test(start);
}

type SharpModule = typeof import("sharp").default;
let loading: Promise<SharpModule> | undefined;

/** Loaded with the first image, so that the site starts faster. */
function loadSharp() {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // Each image uses one thread. No operation repeats, so sharp needs no cache.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
