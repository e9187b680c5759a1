// Crops an image in the browser and scales it down. The new file has none of the original's metadata, such as
// the place where a phone took the photo.
import type { CheckedImage } from "./image-file.ts";

export interface Size {
  width: number;
  height: number;
}

/** In pixels of the image. */
export interface Area extends Size {
  x: number;
  y: number;
}

export interface CroppedImage extends Size {
  file: Blob;
}

/** The longest side of a stored image, in pixels. Pages show at most 1600. */
const maxSide = 2400;
const largestZoom = 5;

/** The largest part of an image that has a shape (width divided by height). */
export function largestPart({ width, height }: Size, aspect: number): Size {
  return width / height > aspect
    ? { width: Math.round(height * aspect), height }
    : { width, height: Math.round(width / aspect) };
}

/** The maximum zoom at which the part in the frame is at least `minWidth` wide. */
export function zoomLimit(size: Size, aspect: number, minWidth: number): number {
  const limit = largestPart(size, aspect).width / minWidth;
  return Math.max(1, Math.min(largestZoom, limit));
}

/** Why an image cannot be used; null when it can. */
export function findSizeProblem(size: Size, aspect: number, minWidth: number): string | null {
  const { width } = largestPart(size, aspect);
  if (width >= minWidth) return null;
  const cut = width < size.width ? `, of which ${width} fit the shape` : "";
  return `This image is too small: it is ${size.width} pixels wide${cut}. Choose one with at least ${minWidth}.`;
}

export function scaleDown({ width, height }: Size): Size {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** @throws Error with a message for the owner */
export async function cropImage(
  url: string,
  type: CheckedImage["type"],
  area: Area,
): Promise<CroppedImage> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, scaleDown(area));
  const { width, height } = canvas;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser could not crop the image. Please try again.");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, width, height);
  const opaque = isOpaque(context.getImageData(0, 0, width, height).data);
  return { file: await encode(canvas, type, opaque), width, height };
}

export function isOpaque(pixels: Uint8ClampedArray): boolean {
  for (let alpha = 3; alpha < pixels.length; alpha += 4) {
    if (pixels[alpha] !== 255) return false;
  }
  return true;
}

/** PNG keeps transparency and the sharp edges of a drawing; photographs are much smaller as JPEG. */
async function encode(
  canvas: HTMLCanvasElement,
  type: CheckedImage["type"],
  opaque: boolean,
): Promise<Blob> {
  if (!opaque) return toBlob(canvas, "image/png");
  const jpeg = await toBlob(canvas, "image/jpeg");
  if (type === "image/jpeg") return jpeg;
  const png = await toBlob(canvas, "image/png");
  return png.size <= jpeg.size ? png : jpeg;
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) =>
        blob ? resolve(blob) : reject(new Error("The image is too large for this browser.")),
      type,
      0.9,
    );
  });
}
