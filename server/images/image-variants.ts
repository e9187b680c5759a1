// Pictures as visitors download them: scaled, in AVIF or WebP where the browser takes it, without
// what the camera wrote into them. Made on first use from known pictures only, then kept on disk.

import { createIdentities } from "./source-etags.ts";
import { type ImageAddress, parseImageAddress } from "./image-request.ts";
import { ImageError } from "./image-error.ts";
import { chooseFormat, type ImageFormat } from "./image-format.ts";
import { makeVariant, recipe, type Variant } from "./make-variant.ts";
import { createOriginals, digest, type OriginalsOptions } from "./image-sources.ts";
import { createVariantStore } from "./variant-cache.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface ImageVariantsOptions extends OriginalsOptions {
  /** Where variants are kept. May be removed at any time. */
  cacheFolder: string;
  /** Bytes of all kept variants. */
  cacheSize?: number;
}

const defaultCacheSize = 512 * 1024 * 1024;
const contentTypes = {
  avif: "image/avif",
  webp: "image/webp",
  jpg: "image/jpeg",
  png: "image/png",
} as const;
const oneYear = "public, max-age=31536000, immutable";
/** Without a version the address stays when the picture changes: the lifetime of section 9. */
const oneHour = "public, max-age=3600";
/** Two at a time leave threads for files and the database. */
const atATime = 2;
const mostWaiting = 100;

/** Answers GET and HEAD of addresses under /images/ that name a size. */
export function createImageVariants(
  options: ImageVariantsOptions,
): (request: Request) => Promise<Response> {
  const originals = createOriginals(options);
  const identities = createIdentities(originals);
  const store = createVariantStore(options.cacheFolder, options.cacheSize ?? defaultCacheSize);
  const queue = createWorkQueue(
    atATime,
    mostWaiting,
    () => new ImageError(503, "Too many pictures are being made"),
  );
  const underway = new Map<string, Promise<Variant>>();

  return async (request) => {
    try {
      const address = parseImageAddress(request.url);
      if (!address) throw new ImageError(404, "There is no such picture");
      return await answer(request, address);
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      return refuse(error);
    }
  };

  async function answer(request: Request, address: ImageAddress): Promise<Response> {
    const format = chooseFormat(request.headers.get("accept"));
    const identity = await identities.of(address, address.version);
    const key = keyOf(address, format, identity);
    const headers = new Headers({
      "cache-control": address.version ? oneYear : oneHour,
      // On its own a picture may do nothing; feed readers show it on pages of their own.
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      etag: `"${key}"`,
      vary: "Accept",
    });
    if (matches(request.headers.get("if-none-match"), key)) {
      return new Response(null, { status: 304, headers });
    }
    const { bytes, extension } = await find(key, address, format);
    headers.set("content-type", contentTypes[extension]);
    headers.set("content-length", String(bytes.length));
    return new Response(new Uint8Array(bytes), { headers });
  }

  /** Identical requests that come while a picture is made wait for that one. */
  function find(key: string, address: ImageAddress, format: ImageFormat): Promise<Variant> {
    const joined = underway.get(key) ?? findOrMake(key, address, format);
    if (!underway.has(key)) {
      underway.set(key, joined);
      const leave = () => underway.delete(key);
      joined.then(leave, leave);
    }
    return joined;
  }

  async function findOrMake(
    key: string,
    address: ImageAddress,
    format: ImageFormat,
  ): Promise<Variant> {
    const extensions = format === "fallback" ? (["jpg", "png"] as const) : [format];
    for (const extension of extensions) {
      const bytes = await store.read(`${key}.${extension}`);
      if (bytes) return { bytes, extension };
    }
    const variant = await queue.run(async () =>
      makeVariant(await originals.read(address), { ...address, format }),
    );
    await store.write(`${key}.${variant.extension}`, variant.bytes);
    return variant;
  }
}

function keyOf(address: ImageAddress, format: ImageFormat, identity: string): string {
  const { width, height, from, segments } = address;
  return digest(JSON.stringify([recipe, width, height, format, from, segments, identity]));
}

function matches(header: string | null, key: string): boolean {
  return (header ?? "")
    .split(",")
    .some((tag) => ["*", `"${key}"`].includes(tag.trim().replace(/^W\//, "")));
}

function refuse({ status, message }: ImageError): Response {
  return new Response(`${message}.`, {
    status,
    headers: {
      "cache-control": status === 503 ? "no-store" : "public, max-age=60",
      "content-type": "text/plain; charset=utf-8",
      ...(status === 503 ? { "retry-after": "5" } : {}),
    },
  });
}
