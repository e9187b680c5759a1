// What an owner reads about an image with too many pixels: the same sentence in the browser and from the server.

/**
 * Says that an image has too many pixels, and what to do.
 * @param of another way to export a kind of image that has a lower limit than others
 */
export function describeTooLarge(
  { width, height }: { width: number; height: number },
  maxPixels: number,
  of: { kind: string; remedy: string } | null,
): string {
  const megapixels = (pixels: number) => Math.floor(pixels / 1e6);
  const scale = Math.sqrt(maxPixels / (width * height));
  const side = (length: number) => Math.floor(length * scale).toLocaleString("en-US");
  const scaled = `scaled to at most ${side(width)} x ${side(height)} pixels`;
  return `The image is too large: ${of ? `${of.kind} may have ` : ""}at most ${megapixels(maxPixels)} megapixels, and this one has ${Math.ceil((width * height) / 1e6)}. Please export it ${of ? `${of.remedy}, or ` : ""}${scaled}`;
}
