import type { SiteImage } from "../config/site-schema.ts";
import { Image } from "./image.tsx";

interface PortraitProps {
  portrait: SiteImage;
  /** With its size, at most 5rem. */
  className: string;
}

/** The adviser in a small circle. Decorative: the name stands beside it. */
export function Portrait({ portrait: { src, width, height }, className }: PortraitProps) {
  return (
    <Image
      {...{ src, width, height }}
      alt=""
      sizes="5rem"
      maxWidth={320}
      className={`image shrink-0 rounded-full object-cover object-top ${className}`}
    />
  );
}
