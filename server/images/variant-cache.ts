// A cache of image variants on disk, which evicts the least recently used ones.
// Covers: complete files only; a folder that was deleted, is full or read-only. Does not cover: a limit shared by
// several processes. Each counts the files that it wrote or found when it started.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";

export interface VariantCache {
  read(name: string): Promise<Buffer | null>;
  /** Never throws: a variant that cannot be cached is made again. */
  write(name: string, bytes: Buffer): Promise<void>;
}

const variantName = /^[0-9a-f]{32}\.(avif|webp|jpg|png)$/;

/** @param maxBytes of all files together */
export function createVariantCache(folder: string, maxBytes: number): VariantCache {
  /** Sizes of the files by name. */
  const sizes = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => size,
    dispose: (_size, name, reason) => {
      if (reason === "evict") removals.push(removeFile(name));
    },
  });
  let removals: Promise<void>[] = [];
  let prepared: Promise<void> | undefined;
  let isFailureLogged = false;

  return {
    async read(name) {
      await prepare();
      if (!sizes.get(name)) return null;
      // The folder may have been emptied.
      const bytes = await readFile(join(folder, name)).catch(() => null);
      if (bytes?.length) return bytes;
      sizes.delete(name);
      return null;
    },

    async write(name, bytes) {
      if (bytes.length > maxBytes) return;
      await prepare();
      const part = join(folder, `${name}.${randomUUID()}.part`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(part, bytes);
        await rename(part, join(folder, name));
      } catch (error) {
        await rm(part, { force: true }).catch(() => {});
        if (!isFailureLogged) console.error("Image variants can't be cached", error);
        isFailureLogged = true;
        return;
      }
      await add(name, bytes.length);
    },
  };

  function prepare(): Promise<void> {
    prepared ??= addFiles();
    return prepared;
  }

  async function addFiles(): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({
          size: 0,
          mtimeMs: 0,
        }));
        return { name, size, mtimeMs };
      }),
    );
    for (const { name, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      const isVariant = variantName.test(name);
      if (isVariant && size > 0 && size <= maxBytes) await add(name, size);
      else if (isVariant || name.endsWith(".part")) await removeFile(name);
    }
  }

  async function add(name: string, size: number): Promise<void> {
    sizes.set(name, size);
    const evicted = removals;
    removals = [];
    await Promise.all(evicted);
  }

  async function removeFile(name: string): Promise<void> {
    await rm(join(folder, name), { force: true }).catch(() => {});
  }
}
