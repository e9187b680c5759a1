/**
 * Widths in pixels in which pictures are sent. A phone of 390 px with three device pixels each shows
 * a full-width picture with 1200.
 */
export const pictureWidths = [320, 480, 640, 800, 1000, 1200, 1600] as const;

/** The height of a picture that is cut to 16:9, the shape in which posts show theirs. */
export function wideHeight(width: number): number {
  return Math.round((width * 9) / 16);
}

/** Where the backend serves the pictures that the owner uploaded. */
export const uploadsPath = "/storage/v1/object/public/images/public/";
