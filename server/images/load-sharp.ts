// Loads the image library with the first image, so that the site starts faster, and knows images by their first bytes.

export function isJpeg(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 3) === "\xff\xd8\xff";
}

/**
 * Accepts JPEG, PNG, GIF, WebP and AVIF. sharp would decode more formats, such as SVG.
 * 2026-11-22: `file-type` is not used because it detects over a hundred formats (five packages) where five signatures in
 * the first 12 bytes are enough.
 */
export function hasPhotoSignature(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, 12);
  return isJpeg(bytes) || /^(\x89PNG\r\n.\n|GIF8[79]a|RIFF.{4}WEBP|.{4}ftypavi[fs])/s.test(start);
}

export type SharpModule = typeof import("sharp").default;
let loading: Promise<SharpModule> | undefined;

export function loadSharp() {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // Each image uses one thread. No operation repeats, so sharp needs no cache.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
