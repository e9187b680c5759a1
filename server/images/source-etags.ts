import { LRUCache } from "lru-cache";
import { ImageError, type ImageSource, type ImageSources } from "./image-sources.ts";

export interface SourceEtags {
  /** @throws ImageError 404 or 503 */
  of(source: ImageSource, version: string | null): Promise<string>;
  /** Forgets all, because an image was changed or removed. */
  clear(): void;
}

/** Milliseconds. Within this time the removal of an image from a hosted project goes unnoticed. */
const maxAge = 5_000;
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
  let clearings = 0;

  return {
    async of(source, version) {
      const seenClearings = clearings;
      const key = [version ?? "", source.from, ...source.segments].join("/");
      const last = cached.get(key);
      if (last && now() - last.readAt < maxAge) return last.etag;
      try {
        const etag = await sources.readEtag(source);
        if (clearings === seenClearings) cached.set(key, { etag, readAt: now() });
        return etag;
      } catch (error) {
        // During an outage of the backend, assume that the image is unchanged.
        if (last && error instanceof ImageError && error.status === 503) return last.etag;
        cached.delete(key);
        throw error;
      }
    },
    clear() {
      clearings += 1;
      cached.clear();
    },
  };
}
