// A cache of image variants, and of reduced copies from which they are made, on disk, which evicts the least recently used ones.
// Covers: complete files only; a folder that was deleted, is full or read-only. Does not cover: a limit shared by
// several processes. Each counts the files that it wrote or found when it started.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";

const variantName = /^[0-9a-f]{32}\.(avif|webp|jpg|png|reduced)$/;

/** @param maxBytes of all files together */
export function createVariantCache(folder: string, maxBytes: number) {
  /** The size of each file by its name. */
  const sizes = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => size,
    dispose: (_size, name, reason) => {
      if (reason === "evict") removeFile(name);
    },
  });
  const prepared = addFiles();
  let isFailureLogged = false;

  return {
    async read(name: string): Promise<Buffer | null> {
      await prepared;
      if (!sizes.get(name)) return null;
      // The folder may have been emptied.
      const bytes = await readFile(join(folder, name)).catch(() => null);
      if (bytes?.length) return bytes;
      sizes.delete(name);
      return null;
    },

    /** Never throws. A variant that cannot be cached is made again. */
    async write(name: string, bytes: Buffer): Promise<void> {
      if (bytes.length > maxBytes) return;
      await prepared;
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
      sizes.set(name, bytes.length);
    },
  };

  async function addFiles(): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => ({ name, file: await stat(join(folder, name)).catch(() => null) })),
    );
    const byAge = found.toSorted((a, b) => (a.file?.mtimeMs ?? 0) - (b.file?.mtimeMs ?? 0));
    for (const { name, file } of byAge) {
      const isVariant = variantName.test(name);
      if (isVariant && file?.size && file.size <= maxBytes) sizes.set(name, file.size);
      else if (isVariant || name.endsWith(".part")) removeFile(name);
    }
  }

  function removeFile(name: string): void {
    try {
      rmSync(join(folder, name), { force: true });
    } catch {
      // This happens when the folder is read-only.
    }
  }
}
