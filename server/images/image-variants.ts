// Serves images as visitors download them: scaled, as AVIF or WebP where the browser accepts it, without metadata. Each
// variant is made at its first request and cached on disk.
import { createHash } from "node:crypto";
import fresh from "fresh";
import pLimit from "p-limit";
import {
  chooseFormat,
  type ImageAddress,
  type ImageFormat,
  parseImageAddress,
} from "./image-request.ts";
import { createImageSources, ImageError, type ImageSourcesOptions } from "./image-sources.ts";
import { makeVariant, recipe, type Variant } from "./make-variant.ts";
import { createVariantCache } from "./variant-cache.ts";

interface ImageVariantsOptions extends ImageSourcesOptions {
  /** Folder of the cache. May be deleted at any time. */
  cacheFolder: string;
  /** Reports uploads that were changed or removed; without it they are noticed after some seconds. */
  onUploadsChanged?: (listener: () => void) => void;
}

/** The maximum number of bytes of all cached variants. */
const cacheSize = 512 * 1024 * 1024;
const oneYear = "public, max-age=31536000, immutable";
/** The cache time of an address without a version, which stays the same when the image changes. */
const oneHour = "public, max-age=3600";
/** The number of parallel conversions, which leaves threads for files and the database. */
const maxRunning = 2;
const maxWaiting = 100;

/** Responds to GET and HEAD for addresses under /images/ that begin with a size. */
export function createImageVariants(
  options: ImageVariantsOptions,
): (request: Request) => Promise<Response> {
  const sources = createImageSources(options);
  options.onUploadsChanged?.(sources.forgetEtags);
  const cache = createVariantCache(options.cacheFolder, cacheSize);
  const making = pLimit(maxRunning);
  const pending = new Map<string, Promise<Variant>>();

  return async (request) => {
    try {
      const address = parseImageAddress(request.url);
      if (!address) throw new ImageError(404, "There is no such image");
      return await respond(request, address);
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      return errorResponse(error);
    }
  };

  async function respond(request: Request, address: ImageAddress): Promise<Response> {
    const format = chooseFormat(request.headers.get("accept"));
    const key = keyOf(address, format, await sources.etagOf(address));
    const etag = `"${key}"`;
    const headers = new Headers({
      "cache-control": address.version ? oneYear : oneHour,
      // A variant that is opened in its own tab may run nothing. Feed readers show it on their own pages.
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      etag,
      vary: "Accept",
    });
    const ifNoneMatch = request.headers.get("if-none-match");
    if (ifNoneMatch && fresh({ "if-none-match": ifNoneMatch }, { etag })) {
      return new Response(null, { status: 304, headers });
    }
    const { bytes, extension } = await getVariant(key, address, format);
    headers.set("content-type", `image/${extension === "jpg" ? "jpeg" : extension}`);
    headers.set("content-length", String(bytes.length));
    return new Response(new Uint8Array(bytes), { headers });
  }

  /** Identical concurrent requests share one variant. */
  function getVariant(key: string, address: ImageAddress, format: ImageFormat): Promise<Variant> {
    let variant = pending.get(key);
    if (!variant) {
      variant = readOrMake(key, address, format).finally(() => pending.delete(key));
      pending.set(key, variant);
    }
    return variant;
  }

  async function readOrMake(
    key: string,
    address: ImageAddress,
    format: ImageFormat,
  ): Promise<Variant> {
    const extensions = format === "fallback" ? (["jpg", "png"] as const) : [format];
    for (const extension of extensions) {
      const bytes = await cache.read(`${key}.${extension}`);
      if (bytes) return { bytes, extension };
    }
    if (making.pendingCount >= maxWaiting) {
      throw new ImageError(503, "Too many images are being made");
    }
    const variant = await making(async () =>
      makeVariant(await sources.read(address), { ...address, format }),
    );
    await cache.write(`${key}.${variant.extension}`, variant.bytes);
    return variant;
  }
}

function keyOf(address: ImageAddress, format: ImageFormat, sourceEtag: string): string {
  const { width, height, from, segments } = address;
  const parts = JSON.stringify([recipe, width, height, format, from, segments, sourceEtag]);
  return createHash("sha256").update(parts).digest("hex").slice(0, 32);
}

function errorResponse({ status, message }: ImageError): Response {
  return new Response(`${message}.`, {
    status,
    headers: {
      "cache-control": status === 503 ? "no-store" : "public, max-age=60",
      "content-type": "text/plain; charset=utf-8",
      ...(status === 503 ? { "retry-after": "5" } : {}),
    },
  });
}
