import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVariantStore } from "./variant-cache.ts";

let folder: string;
const name = (letter: string) => `${letter.repeat(32)}.webp`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "variants-"));
});

afterEach(() => rm(folder, { recursive: true }));

test("what was not asked for longest makes room", async () => {
  const store = createVariantStore(folder, 250);
  await store.write(name("a"), Buffer.alloc(100, 1));
  await store.write(name("b"), Buffer.alloc(100, 2));
  expect(await store.read(name("a"))).toEqual(Buffer.alloc(100, 1));
  await store.write(name("c"), Buffer.alloc(100, 3));

  expect(await store.read(name("b"))).toBeNull();
  expect((await readdir(folder)).toSorted()).toEqual([name("a"), name("c")]);
});

test("a later start finds what was kept, and keeps to its bound", async () => {
  const first = createVariantStore(folder, 1000);
  for (const letter of ["a", "b", "c"]) await first.write(name(letter), Buffer.alloc(100));
  await utimes(join(folder, name("b")), 1, 1);

  const later = createVariantStore(folder, 250);
  expect(await later.read(name("b"))).toBeNull();
  expect(await later.read(name("a"))).toHaveLength(100);
  expect(await later.read(name("c"))).toHaveLength(100);
});

test("a file that was cut off, emptied or removed is not a picture", async () => {
  await writeFile(join(folder, `${name("a")}.1.part`), "half");
  await writeFile(join(folder, "notes.txt"), "not ours");
  const store = createVariantStore(folder, 1000);
  await store.write(name("b"), Buffer.alloc(10));
  await truncate(join(folder, name("b")));
  expect(await store.read(name("b"))).toBeNull();
  await store.write(name("c"), Buffer.alloc(10));
  await rm(join(folder, name("c")));
  expect(await store.read(name("c"))).toBeNull();
  expect(await readdir(folder)).not.toContain(`${name("a")}.1.part`);
  expect(await readdir(folder)).toContain("notes.txt");
});

test("what is larger than the bound is not kept", async () => {
  const store = createVariantStore(folder, 50);
  await store.write(name("a"), Buffer.alloc(51));
  expect(await store.read(name("a"))).toBeNull();
});

test("a folder that can't be written is said once and is no failure", async () => {
  const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
  const file = join(folder, "not-a-folder");
  await writeFile(file, "");
  const store = createVariantStore(file, 1000);
  await store.write(name("a"), Buffer.alloc(10));
  await store.write(name("a"), Buffer.alloc(10));
  expect(await store.read(name("a"))).toBeNull();
  expect(complaint).toHaveBeenCalledTimes(1);
  complaint.mockRestore();
});
