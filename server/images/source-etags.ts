import { ImageError } from "./image-error.ts";
import type { Originals, Source } from "./image-sources.ts";

export interface Identities {
  /** @throws ImageError 404 or 503. */
  of(source: Source, version: string | null): Promise<string>;
}

/** How long a picture counts as unchanged, and as not removed, before the backend is asked again. */
const trustedFor = 5 * 60_000;
const mostKept = 10_000;

/**
 * Remembers what identifies each picture at each of its addresses. A new `t` asks the backend, but
 * draws nothing anew unless the picture itself is another one: the number in an address is anyone's
 * to make up.
 */
export function createIdentities(originals: Originals, now: () => number = Date.now): Identities {
  const known = new Map<string, { identity: string; checkedAt: number }>();

  return {
    async of(source, version) {
      const key = [version ?? "", source.from, ...source.segments].join("/");
      const last = known.get(key);
      if (last && now() - last.checkedAt < trustedFor) return last.identity;
      try {
        const identity = await originals.identify(source);
        known.delete(key);
        known.set(key, { identity, checkedAt: now() });
        const [oldest] = known.keys();
        if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
        return identity;
      } catch (error) {
        // While the backend is away pictures stay as they were.
        if (last && error instanceof ImageError && error.status === 503) return last.identity;
        known.delete(key);
        throw error;
      }
    },
  };
}
