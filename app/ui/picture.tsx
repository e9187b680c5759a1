import type { ComponentProps } from "react";
import { pictureSource } from "./picture-source.ts";

interface PictureProps extends Omit<ComponentProps<"img">, "loading" | "srcSet"> {
  src: string;
  alt: string;
  /** Its size, or that of the shape it is shown in: the room is kept before the picture arrives. */
  width: number;
  height: number;
  /** How wide it is shown, as in `<img sizes>`. */
  sizes: string;
  /** The largest width in pixels that is worth sending. */
  maxWidth?: number;
  /** Cut to 16:9. */
  wide?: boolean;
  /** The picture that a visitor sees first: loaded at once and before others. React preloads it. */
  priority?: boolean;
}

/** A picture in the width and format that suit the browser. */
export function Picture(props: PictureProps) {
  const { src, alt, sizes, maxWidth, wide, priority = false, ...rest } = props;
  const source = pictureSource(src, { maxWidth, wide });
  return (
    <img
      {...rest}
      // Before src: a browser that sees src first may begin to load it.
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      decoding={priority ? undefined : "async"}
      // A lazy picture is chosen when the room it has is known.
      sizes={source.srcSet && (priority ? sizes : `auto, ${sizes}`)}
      srcSet={source.srcSet}
      src={source.src}
      alt={alt}
    />
  );
}
