import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVariantCache } from "./variant-cache.ts";

let folder: string;
const name = (letter: string) => `${letter.repeat(32)}.webp`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "variants-"));
});

afterEach(() => rm(folder, { recursive: true }));

test("evicts the least recently used variant", async () => {
  const cache = createVariantCache(folder, 250);
  await cache.write(name("a"), Buffer.alloc(100, 1));
  await cache.write(name("b"), Buffer.alloc(100, 2));
  expect(await cache.read(name("a"))).toEqual(Buffer.alloc(100, 1));
  await cache.write(name("c"), Buffer.alloc(100, 3));

  expect(await cache.read(name("b"))).toBeNull();
  await expect.poll(async () => (await readdir(folder)).toSorted()).toEqual([name("a"), name("c")]);
});

test("a restart finds the cached files and applies the limit", async () => {
  const first = createVariantCache(folder, 1000);
  for (const letter of ["a", "b", "c"]) await first.write(name(letter), Buffer.alloc(100));
  await utimes(join(folder, name("b")), 1, 1);

  const later = createVariantCache(folder, 250);
  expect(await later.read(name("b"))).toBeNull();
  expect(await later.read(name("a"))).toHaveLength(100);
  expect(await later.read(name("c"))).toHaveLength(100);
});

test("partial, empty and removed files are not variants", async () => {
  await writeFile(join(folder, `${name("a")}.1.part`), "half");
  await writeFile(join(folder, "notes.txt"), "not ours");
  const cache = createVariantCache(folder, 1000);
  await cache.write(name("b"), Buffer.alloc(10));
  await truncate(join(folder, name("b")));
  expect(await cache.read(name("b"))).toBeNull();
  await cache.write(name("c"), Buffer.alloc(10));
  await rm(join(folder, name("c")));
  expect(await cache.read(name("c"))).toBeNull();
  expect(await readdir(folder)).not.toContain(`${name("a")}.1.part`);
  expect(await readdir(folder)).toContain("notes.txt");
});

test("a variant larger than the limit is not cached", async () => {
  const cache = createVariantCache(folder, 50);
  await cache.write(name("a"), Buffer.alloc(51));
  expect(await cache.read(name("a"))).toBeNull();
});

test("a folder that cannot be written is logged once and fails nothing", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const file = join(folder, "not-a-folder");
  await writeFile(file, "");
  const cache = createVariantCache(file, 1000);
  await cache.write(name("a"), Buffer.alloc(10));
  await cache.write(name("a"), Buffer.alloc(10));
  expect(await cache.read(name("a"))).toBeNull();
  expect(logged).toHaveBeenCalledTimes(1);
  logged.mockRestore();
});
