// Makes one variant of an image. Removes metadata (place, time, camera) after applying its rotation, and keeps only the
// first frame of an animation, which visitors could not stop.
import type { Sharp } from "sharp";
import { maxImagePixels } from "../../app/config/image-address.ts";
import type { ImageFormat } from "./image-request.ts";
import { ImageError } from "./image-sources.ts";
import { loadSharp, type SharpModule } from "./load-sharp.ts";
import { damaged, tooSlow } from "./reduce-image.ts";

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
export const recipe = "3";

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
 * @param image may miss a part: browsers show such images as well, and whether the decoder reaches it depends on the size
 * @throws ImageError 422 when the bytes are not a valid image, 503 after the timeout
 */
export async function makeVariant(image: Buffer, shape: VariantShape): Promise<Variant> {
  const sharp = await loadSharp();
  try {
    return await scale(sharp, image, shape);
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) {
      throw new ImageError(503, tooSlow, { cause: error });
    }
    throw new ImageError(422, damaged, { cause: error });
  }
}

async function scale(
  sharp: SharpModule,
  bytes: Buffer,
  { width, height, format }: VariantShape,
): Promise<Variant> {
  const image = sharp(bytes, {
    limitInputPixels: maxImagePixels,
    failOn: "none",
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
  let encoded = Buffer.alloc(0);
  for (const quality of qualities[extension]) {
    encoded = await encode(pixels(), extension, quality).toBuffer();
    if (encoded.length <= maxBytes) break;
  }
  return { extension, bytes: encoded };
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
