// Share images as answers: drawn on first use, then kept in memory. Only loaders import this file.
import type { ShareText } from "./share-address.ts";

/** About 30 KB each. */
const keptImages = 200;
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
/** The drawing before: one at a time, so that a crawler in a hurry does not slow down visitors. */
let previous: Promise<unknown> = Promise.resolve();

/** The picture of a page as PNG, 1200 x 630. @param cacheControl for the answer's header */
export async function shareImageResponse(text: ShareText, cacheControl: string): Promise<Response> {
  return new Response(await getImage(text), {
    headers: { "content-type": "image/png", "cache-control": cacheControl },
  });
}

/** The page that an image's address names: "life-insurance" of "life-insurance.png", else null. */
export function pageOfImage(file: string): string | null {
  return file.endsWith(".png") ? file.slice(0, -".png".length) : null;
}

function getImage(text: ShareText): Promise<Uint8Array<ArrayBuffer>> {
  const key = JSON.stringify([text.label, text.headline]);
  const image = kept.get(key) ?? previous.then(() => draw(text));
  previous = image.catch(() => kept.delete(key));
  // Put last again: the first in the map is the one that was not asked for the longest.
  kept.delete(key);
  kept.set(key, image);
  const [oldest] = kept.keys();
  if (kept.size > keptImages && oldest) kept.delete(oldest);
  return image;
}

async function draw(text: ShareText): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded with the first image: a site that starts has more urgent things to do.
  const [{ default: sharp }, { drawShareSvg }] = await Promise.all([
    import("sharp"),
    import("./share-drawing.ts"),
  ]);
  const svg = Buffer.from(drawShareSvg(text));
  return new Uint8Array(await sharp(svg).png({ palette: true, colours: 64 }).toBuffer());
}
