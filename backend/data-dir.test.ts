import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareDataDir, UnusableDataDir } from "./data-dir.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "data-dir-"));
});

afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

test("a missing folder is made, and nobody but the site looks into it", () => {
  const dataDir = join(folder, "a/b");
  prepareDataDir(dataDir);
  expect(readdirSync(dataDir)).toEqual([]);
  expect(statSync(dataDir).mode & 0o066).toBe(0);
});

test("a full disk is told with what to do", () => {
  expect(() => prepareDataDir(folder, Number.MAX_SAFE_INTEGER)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/is full.*\n.*Make room/) }),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be written is told with what to do", () => {
  // Root may write anywhere but here.
  const dataDir = process.getuid?.() === 0 ? "/sys/data" : join(folder, "data");
  chmodSync(folder, 0o500);
  expect(() => prepareDataDir(dataDir)).toThrow(UnusableDataDir);
  expect(() => prepareDataDir(dataDir)).toThrow(/DATA_DIR/);
  expect(existsSync(dataDir)).toBe(false);
});

test.each(["/proc/x", "/proc/x/y"])(
  "%s, where no folder can be made, is refused at once",
  (dataDir) => {
    expect(() => prepareDataDir(dataDir)).toThrow(`DATA_DIR ${dataDir} cannot be`);
  },
);

test("a file is refused and keeps its mode", () => {
  const file = join(folder, "file");
  writeFileSync(file, "", { mode: 0o644 });
  expect(() => prepareDataDir(file)).toThrow(`DATA_DIR ${file} cannot be used: it is a file`);
  expect(statSync(file).mode & 0o777).toBe(0o644);
});
