// Serves images as visitors download them: scaled, as AVIF or WebP where the browser accepts it, without metadata. Each
// variant is made at its first request, or after the upload, and cached on disk.
import { createHash } from "node:crypto";
import {
  type Acquire,
  createQueue,
  createSharedWork,
} from "embedded-supabase/rate-limits/shared-work.ts";
import fresh from "fresh";
import { imageWidths, uploads, wideHeight } from "../../app/config/image-address.ts";
import {
  chooseFormat,
  type ImageAddress,
  type ImageFormat,
  parseImageAddress,
} from "./image-request.ts";
import { createImageSources, ImageError, type ImageSourcesOptions } from "./image-sources.ts";
import { makeVariant, recipe, type Variant } from "./make-variant.ts";
import { reduceLarge } from "./reduce-image.ts";
import { createVariantCache } from "./variant-cache.ts";

interface ImageVariantsOptions extends ImageSourcesOptions {
  /** Folder of the cache. May be deleted at any time. */
  cacheFolder: string;
  /** Slots for making variants, in which visitors take fair turns. */
  acquire: Acquire;
  /**
   * Reports uploads that were stored (with their reference), changed or removed; without it, changes are noticed after some
   * seconds.
   */
  onUploadsChanged?: (listener: (stored?: string) => void) => void;
}

/** The maximum number of bytes of all cached variants. */
const cacheSize = 512 * 1024 * 1024;
const oneYear = "public, max-age=31536000, immutable";
/** The cache time of an address without a version, which stays the same when the image changes. */
const oneHour = "public, max-age=3600";
/** The number of uploads that wait for their variants. Those of others are made at their first request. */
const maxUnprepared = 100;

/** Responds to GET and HEAD for addresses under /images/ that begin with a size. */
export function createImageVariants(
  options: ImageVariantsOptions,
): (request: Request) => Promise<Response> {
  const sources = createImageSources(options);
  const cache = createVariantCache(options.cacheFolder, cacheSize);
  /** Identical concurrent requests share one variant. It is dropped when all of them were cancelled before its turn. */
  const variants = createSharedWork<Variant>("in fair turns", options.acquire);
  /** Variants that are made at the same time share one reduced copy. */
  const reducedCopies = createSharedWork<Buffer>("for the site");
  const preparing = createQueue("for the site", 1);
  options.onUploadsChanged?.((stored) => {
    sources.forgetEtags();
    if (stored?.startsWith(uploads) && preparing.size() < maxUnprepared) {
      const name = stored.slice(uploads.length);
      preparing.run(() => prepare(name)).catch((error) => console.error("Image variants", error));
    }
  });

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
    const source = await sources.etagOf(address);
    const key = keyOf(address, format, source);
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
    const { bytes, extension } = await getVariant(address, format, source, request.signal);
    headers.set("content-type", `image/${extension === "jpg" ? "jpeg" : extension}`);
    headers.set("content-length", String(bytes.length));
    return new Response(new Uint8Array(bytes), { headers });
  }

  /** Makes the variants that most browsers choose from, while nobody waits for them. */
  async function prepare(name: string): Promise<void> {
    const segments = name.split("/").map(decodeURIComponent);
    for (const width of imageWidths) {
      for (const height of [wideHeight(width), null]) {
        const address = { width, height, from: "uploads", segments, version: null } as const;
        try {
          await getVariant(address, "avif", await sources.etagOf(address));
        } catch (error) {
          if (!(error instanceof ImageError)) throw error;
          // Removed in the meantime, or the site is busy. A request will make it.
          return;
        }
      }
    }
  }

  async function getVariant(
    address: ImageAddress,
    format: ImageFormat,
    source: string,
    signal?: AbortSignal,
  ): Promise<Variant> {
    const key = keyOf(address, format, source);
    const extensions = format === "fallback" ? (["jpg", "png"] as const) : [format];
    for (const extension of extensions) {
      const bytes = await cache.read(`${key}.${extension}`);
      if (bytes) return { bytes, extension };
    }
    const made = await variants.share(
      key,
      async () => {
        const reducedKey = keyOf({ ...address, width: 0, height: 0 }, "fallback", source);
        const reduced = await reducedCopies.share(reducedKey, () =>
          getReduced(reducedKey, address),
        );
        const variant = await makeVariant(reduced, { ...address, format });
        await cache.write(`${key}.${variant.extension}`, variant.bytes);
        return variant;
      },
      signal,
    );
    if (!made) throw new ImageError(503, "Too many images are being made");
    return made;
  }

  /** The image itself, or its reduced copy when it is large. */
  async function getReduced(key: string, address: ImageAddress): Promise<Buffer> {
    const cached = await cache.read(`${key}.reduced`);
    if (cached) return cached;
    const original = await sources.read(address);
    const reduced = await reduceLarge(original);
    if (!reduced) return original;
    await cache.write(`${key}.reduced`, reduced);
    return reduced;
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
