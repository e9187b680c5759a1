import type { ComponentProps } from "react";
import { imageAddress, imageWidths, wideHeight } from "../config/image-address.ts";

interface ImageProps extends Omit<ComponentProps<"img">, "loading" | "srcSet"> {
  /** A reference (image-address.ts), with its version `t`. */
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

/** The addresses of an image in all widths. SVG files and images of other hosts have one. */
export function imageSource(
  reference: string,
  { maxWidth, wide = false }: Pick<ImageProps, "maxWidth" | "wide"> = {},
): ImageSource {
  const widths = imageWidths.filter((width) => !maxWidth || width <= maxWidth);
  const address = (width: number) =>
    imageAddress(reference, wide ? `${width}x${wideHeight(width)}` : width);
  const src = address(widths.find((width) => width >= 800) ?? widths.at(-1) ?? imageWidths[0]);
  if (src === reference) return { src };
  return { src, srcSet: widths.map((width) => `${address(width)} ${width}w`).join(", ") };
}
