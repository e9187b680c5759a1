import { pictureWidths, uploadsPath, wideHeight } from "../config/picture-sizes.ts";

export interface PictureSource {
  src: string;
  /** Absent when there is only the picture itself. */
  srcSet?: string;
}

interface Shape {
  /** The largest width that is worth offering. */
  maxWidth?: number;
  /** Cut to 16:9. */
  wide?: boolean;
}

/**
 * The addresses at which a picture is sent in the width and format that suit a browser: for uploads
 * and for the site's own photographs. Drawings (SVG) and what lies elsewhere stay as they are.
 * @param url as stored, absolute or relative, with its version `t`
 */
export function pictureSource(url: string, { maxWidth, wide = false }: Shape = {}): PictureSource {
  const place = placeOf(url);
  if (!place) return { src: url };
  const widths = pictureWidths.filter((width) => !maxWidth || width <= maxWidth);
  const address = (width: number) =>
    `/images/${wide ? `${width}x${wideHeight(width)}` : width}/${place}`;
  return {
    src: address(widths.find((width) => width >= 800) ?? widths.at(-1) ?? pictureWidths[0]),
    srcSet: widths.map((width) => `${address(width)} ${width}w`).join(", "),
  };
}

function placeOf(url: string): string | null {
  const [, path = "", query = ""] = url.match(/^([^?#]*)(\?[^#]*)?/) ?? [];
  const version = new URLSearchParams(query).get("t");
  const suffix = version ? `?t=${encodeURIComponent(version)}` : "";
  // The address was stored when the site may have had another name: the path alone counts.
  const [, upload] = path.split(uploadsPath);
  if (upload) return `uploads/${upload}${suffix}`;
  if (/^\/(?!\/).*\.(avif|gif|jpe?g|png|webp)$/i.test(path)) {
    return `site${path}${suffix}`;
  }
  return null;
}
