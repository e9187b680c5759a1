// A file with the current pages of the cache, so that a process that starts while the backend fails shows them.
// A page leaves the file seconds after a change has invalidated it. Does not cover: changes while no process runs, which
// is why the file expires.
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { createCachedPage } from "./cached-page.ts";
import type { createPageCache, Entry } from "./page-cache.ts";
import { replaceFile } from "./replace-file.ts";

const saveIntervalMs = 5_000;
const maxAgeMs = 24 * 60 * 60_000;
const maxPages = 100;

/** @param site returns the build, the addresses and the project: pages of any other site are ignored */
export function createStoredPages(
  pages: Pick<ReturnType<typeof createPageCache>, "currentEntries" | "addStale">,
  file: string,
  site: () => string,
) {
  let saved = new Set<Entry>();
  const timer = setInterval(() => void save(), saveIntervalMs).unref();

  return {
    async load(): Promise<void> {
      try {
        const stored = JSON.parse(readFileSync(file, "utf8"));
        const age = Date.now() - stored.savedAt;
        if (stored.site !== site() || age > maxAgeMs) return;
        for (const [key, headers, body, cacheControl, tables] of stored.pages) {
          const content = brotliDecompressSync(Buffer.from(body, "base64"));
          const page = await createCachedPage(headers, content);
          pages.addStale(key, { page, cacheControl, tables: new Set(tables) }, age);
        }
      } catch {
        // There is no readable file.
      }
    },
    save,
    async stop(): Promise<void> {
      clearInterval(timer);
      await save();
    },
  };

  /** Never throws. */
  async function save(): Promise<void> {
    const current = pages.currentEntries()?.slice(0, maxPages);
    if (!current) return;
    const found = new Set(current.map(([, entry]) => entry));
    if (found.size === saved.size && current.every(([, entry]) => saved.has(entry))) return;
    saved = found;
    // The least recently used page is restored first.
    const stored = current.reverse().flatMap(([key, { page, cacheControl, tables }]) => {
      const body = page.body("br").toString("base64");
      return page.isText ? [[key, page.ownHeaders, body, cacheControl, [...tables]]] : [];
    });
    await replaceFile(
      file,
      JSON.stringify({ site: site(), savedAt: Date.now(), pages: stored }),
    ).catch((error) => console.error(`The pages cannot be stored in ${file}: ${error}`));
  }
}
