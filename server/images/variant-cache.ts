// Variants on disk, within a bound: what was not asked for longest goes first.
// Covers: complete files only, a folder that is lost, full or read-only. Does not cover: sharing the
// bound between processes; each counts what it wrote and what it found at its start.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface VariantStore {
  read(name: string): Promise<Buffer | null>;
  /** Never throws: a picture that can't be kept is made again. */
  write(name: string, bytes: Buffer): Promise<void>;
}

const ownName = /^[0-9a-f]{32}\.(avif|webp|jpg|png)$/;
const partName = /\.part$/;

/** @param largestSize of all files together, in bytes */
export function createVariantStore(folder: string, largestSize: number): VariantStore {
  /** Sizes by name, the one used last at the end. */
  const sizes = new Map<string, number>();
  let total = 0;
  let prepared: Promise<void> | undefined;
  let complained = false;

  return {
    async read(name) {
      await prepare();
      if (!sizes.has(name)) return null;
      try {
        const bytes = await readFile(join(folder, name));
        if (bytes.length > 0) {
          add(name, bytes.length);
          return bytes;
        }
      } catch {
        // Someone emptied the folder.
      }
      forget(name);
      return null;
    },

    async write(name, bytes) {
      if (bytes.length > largestSize) return;
      await prepare();
      const part = join(folder, `${name}.${randomUUID()}.part`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(part, bytes);
        await rename(part, join(folder, name));
      } catch (error) {
        await rm(part, { force: true }).catch(() => {});
        if (!complained) console.error("Pictures can't be kept", error);
        complained = true;
        return;
      }
      add(name, bytes.length);
      await shrink();
    },
  };

  function prepare(): Promise<void> {
    prepared ??= findKept();
    return prepared;
  }

  async function findKept(): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({
          size: 0,
          mtimeMs: 0,
        }));
        return { name, size, mtimeMs };
      }),
    );
    for (const { name, size } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (ownName.test(name) && size > 0) add(name, size);
      else if (partName.test(name)) await rm(join(folder, name), { force: true }).catch(() => {});
    }
    await shrink();
  }

  function add(name: string, size: number): void {
    forget(name);
    sizes.set(name, size);
    total += size;
  }

  function forget(name: string): void {
    total -= sizes.get(name) ?? 0;
    sizes.delete(name);
  }

  async function shrink(): Promise<void> {
    while (total > largestSize) {
      const [oldest] = sizes.keys();
      if (oldest === undefined) return;
      forget(oldest);
      await rm(join(folder, oldest), { force: true }).catch(() => {});
    }
  }
}
