import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepFormerAssets, readFormerAssets } from "./built-files.ts";

const day = 24 * 60 * 60 * 1000;
const deployment = Date.parse("2026-11-21T09:00:00.000Z");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "former-assets-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function makeBuild(name: string, ...files: string[]): string {
  const build = join(folder, name);
  mkdirSync(join(build, "client/assets"), { recursive: true });
  for (const file of files) writeFileSync(join(build, "client/assets", file), file);
  return build;
}

const assetsOf = (build: string) => readdirSync(join(build, "client/assets")).sort();

test("the files of the previous build stay, with their compressed copies", () => {
  const first = makeBuild("first", "page-1.js", "page-1.js.br", "page-1.js.gz", "shell-1.js");
  const second = makeBuild("second", "page-2.js", "shell-1.js");
  keepFormerAssets(first, second, deployment);
  expect(assetsOf(second)).toEqual([
    "page-1.js",
    "page-1.js.br",
    "page-1.js.gz",
    "page-2.js",
    "shell-1.js",
  ]);
  expect(readFormerAssets(second)).toEqual({ "page-1.js": "2026-11-21T09:00:00.000Z" });
});

test("they stay through further builds, for 30 days after they were replaced", () => {
  const first = makeBuild("first", "page-1.js");
  const second = makeBuild("second", "page-2.js");
  keepFormerAssets(first, second, deployment);
  const third = makeBuild("third", "page-3.js");
  keepFormerAssets(second, third, deployment + 29 * day);
  expect(assetsOf(third)).toEqual(["page-1.js", "page-2.js", "page-3.js"]);
  const fourth = makeBuild("fourth", "page-4.js");
  keepFormerAssets(third, fourth, deployment + 30 * day);
  expect(assetsOf(fourth)).toEqual(["page-2.js", "page-3.js", "page-4.js"]);
});

test("a file that a later build contains again is no longer a former one", () => {
  const first = makeBuild("first", "page-1.js");
  const second = makeBuild("second", "page-2.js");
  keepFormerAssets(first, second, deployment);
  const third = makeBuild("third", "page-1.js");
  keepFormerAssets(second, third, deployment);
  expect(Object.keys(readFormerAssets(third))).toEqual(["page-2.js"]);
});

test("at most 50 MB stay, and those replaced longest ago are dropped first", () => {
  const first = makeBuild("first");
  writeFileSync(join(first, "client/assets/old.js"), Buffer.alloc(30 * 1024 * 1024));
  const second = makeBuild("second");
  writeFileSync(join(second, "client/assets/new.js"), Buffer.alloc(30 * 1024 * 1024));
  keepFormerAssets(first, second, deployment);
  const third = makeBuild("third");
  keepFormerAssets(second, third, deployment + day);
  expect(assetsOf(third)).toEqual(["new.js"]);
});

test("without a previous build nothing is kept", () => {
  const first = makeBuild("first", "page-1.js");
  keepFormerAssets(join(folder, "none"), first, deployment);
  expect(assetsOf(first)).toEqual(["page-1.js"]);
  expect(existsSync(join(first, "former-assets.json"))).toBe(true);
});
