// The images that variants are made from: the public folder of the images bucket, and the site's own files.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { maxImageMegabytes, uploads } from "../../app/config/image-address.ts";
import type { ImageAddress } from "./image-request.ts";

export interface ImageSourcesOptions {
  /** Folder of the site's own files. */
  siteFolder: string;
  /** The backend that stores the uploads. */
  projectUrl: string;
  fetchProject: typeof fetch;
}

/** 404: not found. 422: not an image that can be scaled. 503: temporarily unavailable. */
export class ImageError extends Error {
  readonly status: 404 | 422 | 503;

  constructor(status: 404 | 422 | 503, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The maximum size in bytes, which is also the limit of the bucket. */
const maxBytes = maxImageMegabytes * 1024 * 1024;
const timeout = 10_000;
/** How many milliseconds an ETag is cached. The removal of an image from a hosted project takes effect after that. */
const etagAge = 5_000;
const maxEtags = 10_000;
const photoExtension = /\.(avif|gif|jpe?g|png|webp)$/i;

export function createImageSources(options: ImageSourcesOptions) {
  const { siteFolder, projectUrl, fetchProject } = options;
  const etags = new LRUCache<string, { etag: string; readAt: number }>({ max: maxEtags });
  /** Part of the cache keys: an ETag that was read before a change is not found after it. */
  let changes = 0;

  return {
    /**
     * A string that changes with the image's content. During an outage of the backend, images count as unchanged.
     * @throws ImageError 404 or 503
     */
    async etagOf(address: ImageAddress): Promise<string> {
      const { from, segments, version } = address;
      // A new `t` reads the ETag again, but makes no new variant while the image is the same: anyone can make up values.
      const key = [changes, version ?? "", from, ...segments].join("/");
      const last = etags.get(key);
      if (last && Date.now() - last.readAt < etagAge) return last.etag;
      try {
        const etag = await readEtag(address);
        etags.set(key, { etag, readAt: Date.now() });
        return etag;
      } catch (error) {
        if (last && error instanceof ImageError && error.status === 503) return last.etag;
        etags.delete(key);
        throw error;
      }
    },

    /** @throws ImageError 404, 422 or 503 */
    async read({ from, segments }: ImageAddress): Promise<Buffer> {
      if (from === "uploads") return readBody(await request("GET", segments));
      await statFile(segments);
      return readFile(join(siteFolder, ...segments));
    },

    /** Called when an upload was changed or removed. */
    forgetEtags(): void {
      changes += 1;
    },
  };

  async function readEtag({ from, segments }: ImageAddress): Promise<string> {
    if (from === "site") {
      const { mtimeMs, size } = await statFile(segments);
      return `${mtimeMs} ${size}`;
    }
    const { headers } = await request("HEAD", segments);
    return ["etag", "last-modified", "content-length"].map((name) => headers.get(name)).join(" ");
  }

  async function statFile(segments: readonly string[]) {
    const found = photoExtension.test(segments.at(-1) ?? "")
      ? await stat(join(siteFolder, ...segments)).catch(() => null)
      : null;
    if (!found?.isFile()) throw new ImageError(404, "There is no such image");
    return found;
  }

  async function request(method: "HEAD" | "GET", segments: readonly string[]): Promise<Response> {
    const name = segments.map(encodeURIComponent).join("/");
    const url = `${projectUrl}/storage/v1/object/public/${uploads}${name}`;
    let response: Response;
    try {
      // Follows no redirect, which could lead to any other host.
      response = await fetchProject(url, {
        method,
        redirect: "error",
        signal: AbortSignal.timeout(timeout),
      });
    } catch (error) {
      throw new ImageError(503, "The backend can't be reached", { cause: error });
    }
    if (response.ok) return response;
    await response.body?.cancel();
    // A hosted project responds 400 when the object does not exist.
    if (response.status < 500 && response.status !== 429)
      throw new ImageError(404, "There is no such image");
    throw new ImageError(503, `The backend responded ${response.status}`);
  }
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw new ImageError(422, "The image is too large");
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError(503, "The backend ended its response early", { cause: error });
  }
  return Buffer.concat(chunks);
}
