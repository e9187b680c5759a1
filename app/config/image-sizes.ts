/**
 * Widths in pixels in which images are served. A phone of 390 px with three device pixels each shows a
 * full-width image with 1200.
 */
export const imageWidths = [320, 480, 640, 800, 1000, 1200, 1600] as const;

/** The height of an image of this width, cropped to 16:9 as in posts. */
export function wideHeight(width: number): number {
  return Math.round((width * 9) / 16);
}

/** The path at which the backend serves the owner's uploads. */
export const uploadsPath = "/storage/v1/object/public/images/public/";
