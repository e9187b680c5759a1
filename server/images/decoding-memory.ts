// How much memory the decoder of an image needs, by its format and layout. Most images are decoded row by row, others as a whole.
// The factors are measurements of resident memory with images of 20 to 100 megapixels, of ordinary and extreme shapes.
import type { Metadata } from "sharp";
import { maxImagePixels } from "../../app/config/image-address.ts";
import { describeTooLarge } from "../../app/manage/images/image-size.ts";
import { readJpegLayout } from "./jpeg-layout.ts";

/** The maximum memory of a decoder in bytes. A progressive JPEG of a camera with 50 megapixels and all colors needs 300 MB. */
export const maxDecodingBytes = 330 * 1024 * 1024;

/** @returns a sentence that says what to do; null when the image may be decoded */
export function findSizeProblem(bytes: Buffer, metadata: Metadata): string | null {
  const { maxPixels, kind, remedy } = limitOf(bytes, metadata);
  if (metadata.width * metadata.height <= Math.min(maxPixels, maxImagePixels)) return null;
  return maxPixels < maxImagePixels
    ? describeTooLarge(metadata.autoOrient, maxPixels, { kind, remedy })
    : describeTooLarge(metadata.autoOrient, maxImagePixels, null);
}

interface Limit {
  /** The most pixels of an image of this kind and shape that can be decoded within the memory. */
  maxPixels: number;
  kind: string;
  /** How to export the image so that its decoder needs less memory. */
  remedy: string;
}

function limitOf(bytes: Buffer, metadata: Metadata): Limit {
  const { format, isProgressive, channels, depth } = metadata;
  const samples = channels * (depth === "uchar" ? 1 : 2);
  switch (format) {
    case "jpeg": {
      const held = readJpegLayout(bytes);
      if (held === 0) return decodedInRows(metadata, samples, "a JPEG");
      const remedy = "as a baseline JPEG (not progressive)";
      return decodedAsWhole(held + 0.3, "a progressive JPEG like this", remedy);
    }
    case "png":
      return isProgressive
        ? decodedAsWhole(1.3 * samples, "an interlaced PNG like this", "without interlacing")
        : decodedInRows(metadata, samples, "a PNG");
    case "gif":
      return decodedAsWhole(5.7, "a GIF", "as a PNG or JPEG");
    case "webp":
      return decodedAsWhole(5.7, "a WebP image", "as a JPEG or PNG");
    // AVIF
    default:
      return decodedAsWhole(18.6, "an AVIF image", "as a JPEG");
  }
}

function decodedAsWhole(bytesPerPixel: number, kind: string, remedy: string): Limit {
  return { maxPixels: Math.floor(maxDecodingBytes / bytesPerPixel), kind, remedy };
}

/** Scaling holds up to 2,000 rows, which matters where they are very long. */
function decodedInRows({ width, height }: Metadata, samples: number, kind: string): Limit {
  const byWidth = maxDecodingBytes / (2_000 * samples * width);
  const byPixels = Math.sqrt(maxDecodingBytes / (1.6 * samples * width * height));
  const scale = Math.max(byWidth, byPixels);
  return {
    maxPixels: Math.floor(scale ** 2 * width * height),
    kind: `${kind} of this shape`,
    remedy: "with fewer bits or without transparency",
  };
}
