// Share images are drawn on first use and cached in memory. Only loaders import this file.
import { LRUCache } from "lru-cache";
import { maxImagePixels, uploads } from "../config/image-address.ts";
import type { Site } from "../config/public-site.ts";
import type { Client } from "../supabase/client-context.ts";
import type { DrawnLogo, DrawnSite } from "./draw-share-image.ts";
import type { ShareText } from "./page-meta.ts";

/** The maximum number of cached images, of about 30 KB each. */
const cache = new LRUCache<string, Promise<Uint8Array<ArrayBuffer>>>({ max: 200 });
/** Images are drawn one at a time, so that a fast crawler does not slow down visitors. */
let previous: Promise<unknown> = Promise.resolve();

interface ShareImageOptions {
  /** Loads the firm's logo. */
  client: Client;
  site: Site;
  text: ShareText;
  cacheControl: string;
}

/** @returns a PNG of 1200 x 630 */
export async function shareImageResponse(options: ShareImageOptions): Promise<Response> {
  return new Response(await getImage(options), {
    headers: { "content-type": "image/png", "cache-control": options.cacheControl },
  });
}

/** The page of an image's file name: "life-insurance" for "life-insurance.png"; null for other files. */
export function pageOfImage(file: string): string | null {
  return file.endsWith(".png") ? file.slice(0, -".png".length) : null;
}

function getImage({ client, site, text }: ShareImageOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { firm, monogram, colors } = site;
  // The key contains everything that is drawn.
  const key = JSON.stringify([text.label, text.headline, firm, monogram, colors]);
  let image = cache.get(key);
  if (!image) {
    image = previous.then(async () => {
      const logo = await loadLogo(client, firm);
      // Not cached, so that the next request tries to load the logo again.
      if (logo === "failed") cache.delete(key);
      return draw(site, text, logo === "failed" ? null : logo);
    });
    previous = image.catch(() => cache.delete(key));
    cache.set(key, image);
  }
  return image;
}

async function draw(
  site: DrawnSite,
  text: ShareText,
  logo: DrawnLogo | null,
): Promise<Uint8Array<ArrayBuffer>> {
  // Imported with the first image, so that the site starts faster.
  const [{ default: sharp }, { drawShareSvg }] = await Promise.all([
    import("sharp"),
    import("./draw-share-image.ts"),
  ]);
  const svg = Buffer.from(drawShareSvg(site, text, logo));
  return new Uint8Array(await sharp(svg).png({ palette: true, colours: 64 }).toBuffer());
}

const photoFormats: ReadonlySet<string> = new Set(["jpeg", "png", "gif", "webp"]);

/** @returns null when the firm has none in the images bucket */
async function loadLogo(
  client: Client,
  { logo, logoDark }: Site["firm"],
): Promise<DrawnLogo | "failed" | null> {
  const image = logoDark ?? logo;
  if (!image?.src.startsWith(uploads)) return null;
  try {
    const { data, error } = await client.storage
      .from("images")
      .download(decodeURIComponent(image.src.slice("images/".length)));
    if (error) throw error;
    const [{ default: sharp }, { logoFrame }] = await Promise.all([
      import("sharp"),
      import("./draw-share-image.ts"),
    ]);
    const file = sharp(await data.arrayBuffer(), {
      limitInputPixels: maxImagePixels,
      // As for the variants, which show the same file.
      failOn: "none",
      autoOrient: true,
    });
    // A hosted project believes the type that a file was uploaded with.
    const { format } = await file.metadata();
    if (!photoFormats.has(format)) throw new Error(`The logo is of the type ${format}`);
    const { data: png, info } = await file
      .resize({ ...logoFrame, fit: "inside" })
      .png()
      .toBuffer({ resolveWithObject: true });
    return {
      url: `data:image/png;base64,${png.toString("base64")}`,
      width: info.width,
      height: info.height,
      forDark: logoDark !== null,
    };
  } catch (error) {
    console.error("Loading the logo for share images failed", error);
    return "failed";
  }
}
