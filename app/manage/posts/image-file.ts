import { detectImageType, type ImageType } from "./image-type.ts";

/** The same limit as the server's, which makes smaller sizes of each image. */
const mostPixels = 100_000_000;

/**
 * Decodes an image before it counts as chosen.
 * @returns its type by its first bytes.
 * @throws Error with a message for the owner when it is not an image that browsers can show.
 */
export async function checkImage(file: Blob): Promise<ImageType> {
  const type = await detectImageType(file);
  if (!type) throw new Error("This file is not a JPEG, PNG, GIF or WebP picture.");
  const url = URL.createObjectURL(file.slice(0, file.size, type));
  try {
    const image = await loadSize(url);
    if (image.naturalWidth * image.naturalHeight > mostPixels) {
      throw new Error("The image is too large: at most 100 megapixels.");
    }
    await image.decode().catch(() => {
      throw damaged();
    });
  } finally {
    URL.revokeObjectURL(url);
  }
  return type;
}

/** Reads the size, before any memory is taken for the pixels. */
function loadSize(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(damaged());
    image.src = url;
  });
}

function damaged(): Error {
  return new Error("This image is damaged or incomplete. Please choose another file.");
}
