import { imageAddress } from "../config/image-address.ts";
import type { Site } from "../config/use-site.ts";

/** The icon of the browser's tab and of a phone's home screen: the uploaded one, or a drawn one. */
export function SiteIcons({ site }: { site: Site }) {
  const { firm, monogram, colors } = site;
  if (firm.icon) {
    const src = imageAddress(firm.icon.src, 320);
    return (
      <>
        <link rel="icon" href={src} />
        <link rel="apple-touch-icon" href={src} />
      </>
    );
  }
  // The query changes with what is drawn, because browsers cache icons for long.
  const color = colors?.properties["--light-evergreen"]?.slice(1);
  const version = [monogram, color].filter(Boolean).join("-");
  const href = `/favicon.svg${version && `?v=${encodeURIComponent(version)}`}`;
  return <link rel="icon" href={href} type="image/svg+xml" />;
}
