// Share images are drawn on first use and cached in memory. Only loaders import this file.
import type { Site } from "../config/public-site.ts";
import type { ShareText } from "./page-meta.ts";

/** About 30 KB each. */
const maxCached = 200;
const cache = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
/** Images are drawn one at a time, so that a fast crawler does not slow down visitors. */
let previous: Promise<unknown> = Promise.resolve();

/** @returns a PNG of 1200 x 630 */
export async function shareImageResponse(
  site: Site,
  text: ShareText,
  cacheControl: string,
): Promise<Response> {
  return new Response(await getImage(site, text), {
    headers: { "content-type": "image/png", "cache-control": cacheControl },
  });
}

/** The page of an image's file name: "life-insurance" for "life-insurance.png"; null for other files. */
export function pageOfImage(file: string): string | null {
  return file.endsWith(".png") ? file.slice(0, -".png".length) : null;
}

function getImage({ firm }: Site, text: ShareText): Promise<Uint8Array<ArrayBuffer>> {
  const key = JSON.stringify([text.label, text.headline, firm]);
  let image = cache.get(key);
  if (!image) {
    image = previous.then(() => draw(firm, text));
    previous = image.catch(() => cache.delete(key));
  }
  // Inserted again: the first key of the map is then the least recently used one, which is evicted.
  cache.delete(key);
  cache.set(key, image);
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest) cache.delete(oldest);
  return image;
}

async function draw(firm: Site["firm"], text: ShareText): Promise<Uint8Array<ArrayBuffer>> {
  // Imported with the first image, to keep the start of the server fast.
  const [{ default: sharp }, { drawShareSvg }] = await Promise.all([
    import("sharp"),
    import("./draw-share-image.ts"),
  ]);
  const svg = Buffer.from(drawShareSvg(firm, text));
  return new Uint8Array(await sharp(svg).png({ palette: true, colours: 64 }).toBuffer());
}
