import { LRUCache } from "lru-cache";
import { ImageError, type ImageSource, type ImageSources } from "./image-sources.ts";

export interface SourceEtags {
  /** @throws ImageError 404 or 503 */
  of(source: ImageSource, version: string | null): Promise<string>;
}

/** Milliseconds. Within this time a change or removal of the image goes unnoticed. */
const maxAge = 5 * 60_000;
const maxEntries = 10_000;

/**
 * Caches the ETag of each source image by its address. A new `t` parameter reads the ETag again, but makes no new
 * variants while the image is the same: anyone can make up values of `t`.
 */
export function createSourceEtags(
  sources: Pick<ImageSources, "readEtag">,
  now: () => number = Date.now,
): SourceEtags {
  const cached = new LRUCache<string, { etag: string; readAt: number }>({ max: maxEntries });

  return {
    async of(source, version) {
      const key = [version ?? "", source.from, ...source.segments].join("/");
      const last = cached.get(key);
      if (last && now() - last.readAt < maxAge) return last.etag;
      try {
        const etag = await sources.readEtag(source);
        cached.set(key, { etag, readAt: now() });
        return etag;
      } catch (error) {
        // During an outage of the backend, assume that the image is unchanged.
        if (last && error instanceof ImageError && error.status === 503) return last.etag;
        cached.delete(key);
        throw error;
      }
    },
  };
}
