import { maxImagePixels } from "../../config/image-address.ts";
import { describeTooLarge } from "./image-size.ts";

/** The types that image fields accept, with their file extensions. */
export const imageTypes = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
} as const;

type ImageType = keyof typeof imageTypes;

export interface CheckedImage {
  type: ImageType;
  /** The size in pixels, after the rotation that the camera stored. */
  width: number;
  height: number;
}

/** Detects the type by the first bytes: a file's name and declared type can be wrong. */
export async function detectImageType(file: Blob): Promise<ImageType | null> {
  const bytes = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return "image/webp";
  return null;
}

/** What to do with a HEIC photo. The browser of an iPhone converts a photo that is chosen in a form. */
export const heicHelp =
  "This photo has the format of iPhones (HEIC), which most browsers cannot show. Open this page on the iPhone and choose the photo there: the iPhone sends it as a JPEG. On a Mac, open it in Preview and choose File, Export, JPEG.";

/** HEIF with a video codec. Videos have other brands, and so has AVIF, sometimes after that of HEIF. */
async function isHeic(file: Blob): Promise<boolean> {
  const brands = await file.slice(4, 64).text();
  return /^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)(?!.*avi[fs])/s.test(brands);
}

/** @throws Error with a message for the owner when browsers can't show the file */
export async function checkImage(file: Blob): Promise<CheckedImage> {
  const type = await detectImageType(file);
  if (!type) {
    throw new Error(
      (await isHeic(file)) ? heicHelp : "This file is not a JPEG, PNG, GIF or WebP image.",
    );
  }
  const url = URL.createObjectURL(file.slice(0, file.size, type));
  try {
    const image = await loadSize(url);
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width * height > maxImagePixels) {
      throw new Error(`${describeTooLarge({ width, height }, maxImagePixels, null)}.`);
    }
    await image.decode().catch(() => {
      throw damaged();
    });
    return { type, width, height };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Reads the size before `decode` allocates memory for the pixels. */
export function loadSize(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(damaged());
    image.src = url;
  });
}

export function damaged(): Error {
  return new Error("This image is damaged or incomplete. Please choose another file.");
}
