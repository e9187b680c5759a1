import type { SiteImage } from "../config/site-schema.ts";
import { imageSource } from "./image.tsx";

interface FirmLogoProps {
  logo: SiteImage;
  /** The logo for dark backgrounds. Without it, the normal logo gets a light background. */
  logoDark: SiteImage | null | undefined;
  /** Whether the panel is dark in both schemes. */
  inverse: boolean;
  /** Whether the site has a dark version. */
  hasDark: boolean;
  name: string;
}

const size = "h-auto max-h-11 w-auto max-w-[min(14rem,100%)] object-contain";

/** The firm's logo at the height of the header's text, in the version for the background. */
export function FirmLogo({ logo, logoDark, inverse, hasDark, name }: FirmLogoProps) {
  const shown = (inverse && logoDark) || logo;
  const fits = logoDark && (inverse || hasDark);
  const plate = fits ? "" : inverse ? "rounded-sm bg-cream p-1.5" : onDarkPage;
  const image = (
    <img
      {...sourceOf(shown)}
      alt={name}
      width={shown.width}
      height={shown.height}
      className={`${size} ${plate}`}
    />
  );
  if (inverse || !logoDark || !hasDark) return image;
  const { src, srcSet = src } = sourceOf(logoDark);
  return (
    <picture className="contents">
      <source
        media="screen and (prefers-color-scheme: dark)"
        srcSet={srcSet}
        sizes="14rem"
        width={logoDark.width}
        height={logoDark.height}
      />
      {image}
    </picture>
  );
}

const onDarkPage = "rounded-sm dark:bg-cream dark:p-1.5";

function sourceOf({ src }: SiteImage) {
  return { sizes: "14rem", ...imageSource(src, { maxWidth: 640 }) };
}
