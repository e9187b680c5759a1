/**
 * Widths in pixels in which images are served. A phone of 390 px with three device pixels each shows a
 * full-width image with 1200.
 */
export const imageWidths = [320, 480, 640, 800, 1000, 1200, 1600] as const;

/** The height of an image that is cropped to 16:9, as posts show theirs. */
export function wideHeight(width: number): number {
  return Math.round((width * 9) / 16);
}

/** Where the backend serves the images that the owner uploaded. */
export const uploadsPath = "/storage/v1/object/public/images/public/";
