// Draws one variant of a picture. What a camera wrote beside the pixels (place, time, model) is left
// out, its rotation is applied. Of an animation the first frame is kept: motion that nobody asked for
// and nobody can stop would be no gain, and no few bytes.
import type { Sharp } from "sharp";
import { ImageError } from "./image-error.ts";
import type { ImageFormat } from "./image-format.ts";

export interface VariantShape {
  width: number;
  height: number | null;
  format: ImageFormat;
}

export interface Variant {
  bytes: Buffer;
  extension: "avif" | "webp" | "jpg" | "png";
}

/** Goes into the names of stored variants: a change of what follows makes all of them anew. */
export const recipe = "1";

/** 100 megapixels: more than cameras have; a small file that unpacks to more is a bomb. */
const largestPicture = 100_000_000;
const longestWork = 30; // seconds
/**
 * What a variant may weigh. A grainy photograph takes less quality instead of more bytes, so that
 * 1200 x 675, which is what a phone of 390 px takes, stays below 60 KB.
 */
const bitsPerPixel = 0.57;
/** In order; the last one is taken at whatever size it has. */
const qualities = {
  avif: [52, 42, 32, 22],
  webp: [72, 55, 38, 22, 10],
  jpg: [76, 62, 46, 30],
};

/** @throws ImageError 422 when the bytes are no picture that can be drawn, 503 when time runs out. */
export async function makeVariant(original: Buffer, shape: VariantShape): Promise<Variant> {
  if (!hasPhotographSignature(original)) throw new ImageError(422, "This is no photograph");
  const sharp = await loadSharp();
  try {
    return await draw(sharp, original, shape);
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) {
      throw new ImageError(503, "The picture takes too long", { cause: error });
    }
    throw new ImageError(422, "The picture can't be drawn", { cause: error });
  }
}

async function draw(
  sharp: SharpModule,
  original: Buffer,
  { width, height, format }: VariantShape,
): Promise<Variant> {
  const picture = sharp(original, {
    limitInputPixels: largestPicture,
    failOn: "error",
    autoOrient: true,
  });
  const { autoOrient } = await picture.metadata();
  const size = sizeToDraw(autoOrient, width, height);
  const { data, info } = await picture
    .resize({ ...size, fit: "cover" })
    .timeout({ seconds: longestWork })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const transparent = hasTransparency(data, info.channels);

  // The pixels are few by now: trying another quality is cheap beside decoding the original again.
  const pixels = () => {
    const { width, height, channels } = info;
    const drawn = sharp(data, { raw: { width, height, channels } }).timeout({
      seconds: longestWork,
    });
    return transparent ? drawn : drawn.removeAlpha();
  };
  const largest = (info.width * info.height * bitsPerPixel) / 8;
  if (format === "fallback" && transparent) {
    return { extension: "png", bytes: await pixels().png({ palette: true }).toBuffer() };
  }
  const extension = format === "fallback" ? "jpg" : format;
  let bytes = Buffer.alloc(0);
  for (const quality of qualities[extension]) {
    bytes = await encode(pixels(), extension, quality).toBuffer();
    if (bytes.length <= largest) break;
  }
  return { extension, bytes };
}

function encode(pixels: Sharp, extension: keyof typeof qualities, quality: number): Sharp {
  if (extension === "avif") {
    // Effort 4 takes many times as long for a few percent.
    return pixels.avif({ quality, effort: 3, chromaSubsampling: "4:2:0" });
  }
  if (extension === "webp") return pixels.webp({ quality });
  return pixels.jpeg({ quality, mozjpeg: true });
}

/** The size to draw: never larger than the picture is, and of the wanted shape when there is one. */
function sizeToDraw(
  picture: { width: number; height: number },
  width: number,
  height: number | null,
) {
  if (height === null) {
    const drawn = Math.min(width, picture.width);
    return { width: drawn, height: atLeastOne((drawn * picture.height) / picture.width) };
  }
  const shape = width / height;
  const drawn = atLeastOne(Math.min(width, picture.width, picture.height * shape));
  return { width: drawn, height: atLeastOne(drawn / shape) };
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

/** Whether the first bytes are those of a JPEG, PNG, GIF, WebP or AVIF: the decoder knows many more. */
function hasPhotographSignature(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, 12);
  return /^(\xff\xd8\xff|\x89PNG\r\n.\n|GIF8[79]a|RIFF.{4}WEBP|.{4}ftypavi[fs])/s.test(start);
}

type SharpModule = typeof import("sharp").default;
let loading: Promise<SharpModule> | undefined;

/** Loaded with the first picture: the site starts sooner without it. */
function loadSharp() {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // Several pictures at a time, each on one thread; nothing is drawn twice, so nothing is kept.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
