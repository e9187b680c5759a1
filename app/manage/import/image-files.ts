// Images that were chosen from disk, one by one, as a folder or in a zip file, found by the addresses that they had.

import { loadModule } from "../../loading/load-module.ts";
import type { ImageFile } from "./unzip-images.ts";

/** Of a zip file, what is unpacked. A zip file can pretend to be small. */
const maxUnpackedBytes = 3_000_000_000;

/**
 * The chosen images. Of a zip file only those that are named are unpacked.
 * @param isNamed whether an import needs an image of this path
 * @throws an Error with a message for the owner
 */
export async function openImageFiles(
  files: readonly File[],
  isNamed: (path: string) => boolean,
  maxFileBytes: number,
): Promise<ImageFile[]> {
  const found: ImageFile[] = [];
  let left = maxUnpackedBytes;
  for (const file of files) {
    if (/\.zip$/i.test(file.name)) {
      const { unzipImages } = await loadModule(() => import("./unzip-images.ts"));
      const unpacked = await unzipImages(file, isNamed, { maxFileBytes, maxBytes: left });
      left -= unpacked.reduce((sum, { file: image }) => sum + (image?.size ?? 0), 0);
      found.push(...unpacked);
    } else {
      const path = file.webkitRelativePath || file.name;
      if (isNamed(path)) found.push({ path, file });
    }
  }
  return found;
}

/** Finds the file of an address: by its name, and of several with one name by the folders before it. */
export function createImageFinder(files: readonly ImageFile[]) {
  const byName = Map.groupBy(files, ({ path }) => nameKey(path));
  /** @throws an Error with a message for the owner */
  return (address: string): Blob | null => {
    const exact = partsOf(address);
    const candidates = byName.get(nameKey(address)) ?? [];
    const scored = candidates.map((candidate) => ({
      ...candidate,
      score: scoreOf(exact, partsOf(candidate.path)),
    }));
    const best = Math.max(...scored.map(({ score }) => score));
    const [first, second] = scored.filter(({ score }) => score === best);
    if (!first) return null;
    if (second) throw new Error(`Several files have its name: ${first.path}, ${second.path}.`);
    if (!first.file) throw new Error("The image in the zip file is too large.");
    return first.file;
  };
}

/** Whether one of the addresses has the name of a file. */
export function createNameTest(addresses: readonly string[]): (path: string) => boolean {
  const names = new Set(addresses.map(nameKey));
  return (path) => names.has(nameKey(path));
}

/** How well a path fits: how many parts from the end are the same, and first of all whether the name is exactly the same. */
function scoreOf(address: readonly string[], path: readonly string[]): number {
  const [name, ...folders] = address.toReversed();
  const [ownName, ...ownFolders] = path.toReversed();
  const differs = folders.findIndex((folder, index) => folder !== ownFolders[index]);
  return (name === ownName ? 1000 : 0) + (differs === -1 ? folders.length : differs);
}

/**
 * The name of an image in any size and format. WordPress adds '-300x200', '-scaled' or '-rotated' to the names of others, plugins
 * a second ending; sites write spaces in their own ways.
 */
function nameKey(address: string): string {
  const name = partsOf(address).at(-1) ?? "";
  return name
    .replace(/(?:\.(?:avif|gif|jpe?g|png|webp))+$|\.[a-z\d]+$/, "")
    .replace(/(?:-\d{1,5}x\d{1,5}|-scaled|-rotated|@\dx)+$/, "")
    .replace(/[\s+_-]+/g, "-");
}

/** The folders and the name of a path or address, in lower case. */
function partsOf(address: string): string[] {
  const path = address.replace(/^[a-z]+:\/\/[^/]*|[?#].*$/gi, "");
  return decoded(path)
    .normalize("NFC")
    .toLowerCase()
    .split(/[/\\]/)
    .filter((part) => part !== "");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
