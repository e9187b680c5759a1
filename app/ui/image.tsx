import type { ComponentProps } from "react";
import { imageWidths, uploadsPath, wideHeight } from "../config/image-sizes.ts";

interface ImageProps extends Omit<ComponentProps<"img">, "loading" | "srcSet"> {
  src: string;
  alt: string;
  /** The image's size, or that of its frame: reserves the space before the image arrives. */
  width: number;
  height: number;
  /** The displayed width, as in `<img sizes>`. */
  sizes: string;
  /** The largest width in pixels that is worth serving. */
  maxWidth?: number;
  /** Whether the image is cropped to 16:9. */
  wide?: boolean;
  /** The first image in view: loaded eagerly and before others. React preloads it. */
  priority?: boolean;
}

/** An image in the width and format that suit the browser. */
export function Image(props: ImageProps) {
  const { src, alt, sizes, maxWidth, wide, priority = false, ...rest } = props;
  const source = imageSource(src, { maxWidth, wide });
  return (
    <img
      {...rest}
      // Before src: a browser that parses src first may start the download.
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      decoding={priority ? undefined : "async"}
      // A lazy image loads after layout, so the browser can use its real width.
      sizes={source.srcSet && (priority ? sizes : `auto, ${sizes}`)}
      srcSet={source.srcSet}
      src={source.src}
      alt={alt}
    />
  );
}

interface ImageSource {
  src: string;
  /** Absent when the image exists in one size only. */
  srcSet?: string;
}

/**
 * The URLs of an image in all widths, for uploads and for the site's own photographs. SVG files and images
 * of other hosts stay as they are.
 * @param url as stored, absolute or relative, with its version `t`
 */
export function imageSource(
  url: string,
  { maxWidth, wide = false }: Pick<ImageProps, "maxWidth" | "wide"> = {},
): ImageSource {
  const path = variantPath(url);
  if (!path) return { src: url };
  const widths = imageWidths.filter((width) => !maxWidth || width <= maxWidth);
  const address = (width: number) =>
    `/images/${wide ? `${width}x${wideHeight(width)}` : width}/${path}`;
  return {
    src: address(widths.find((width) => width >= 800) ?? widths.at(-1) ?? imageWidths[0]),
    srcSet: widths.map((width) => `${address(width)} ${width}w`).join(", "),
  };
}

/** What follows the width in the URL of a resized image; null for an image that is not resized. */
function variantPath(url: string): string | null {
  const [, path = "", query = ""] = url.match(/^([^?#]*)(\?[^#]*)?/) ?? [];
  const version = new URLSearchParams(query).get("t");
  const suffix = version ? `?t=${encodeURIComponent(version)}` : "";
  // Ignores the host: the site may have had another one when the URL was stored.
  const [, upload] = path.split(uploadsPath);
  if (upload) return `uploads/${upload}${suffix}`;
  if (/^\/(?!\/).*\.(avif|gif|jpe?g|png|webp)$/i.test(path)) {
    return `site${path}${suffix}`;
  }
  return null;
}
