// Whether an image can be decoded: no post should show a broken one.
// Covers: jpeg, png, gif, webp; of an animation the first frame. Does not cover: other types, which are not checked.
import pLimit from "p-limit";
import { isCheckedType } from "./image-type.ts";
import { invalidImage } from "./storage-error.ts";

/** More than cameras have, and what the site can make smaller sizes of. Checked before decoding. */
const mostPixels = 100_000_000;
const timeoutSeconds = 30;
/** One large image can take hundreds of megabytes while it is decoded. */
const decoding = pLimit(1);

/** @throws StorageError 400 when the file is damaged, incomplete, or too large to decode. */
export async function assertDecodable(path: string, contentType: string): Promise<void> {
  if (isCheckedType(contentType)) await decoding(() => decode(path));
}

async function decode(path: string): Promise<void> {
  // Loaded with the first image: the site starts sooner without it.
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    await sharp(path, { limitInputPixels: mostPixels, failOn: "error", sequentialRead: true })
      // Reads every pixel and keeps none.
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
