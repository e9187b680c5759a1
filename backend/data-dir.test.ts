import { spawn } from "node:child_process";
import { once } from "node:events";
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
import {
  DataDirInUse,
  isDataDirInUse,
  lockDataDir,
  prepareDataDir,
  UnusableDataDir,
} from "./data-dir.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "data-dir-"));
});

afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

test("a missing folder is created and other users cannot read it", () => {
  const dataDir = join(folder, "a/b");
  prepareDataDir(dataDir);
  expect(readdirSync(dataDir)).toEqual([]);
  expect(statSync(dataDir).mode & 0o066).toBe(0);
});

test("a full disk is reported with what to do", () => {
  expect(() => prepareDataDir(folder, Number.MAX_SAFE_INTEGER)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/is full.*\n.*Make room/) }),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be written is reported with what to do", () => {
  // Root can write anywhere else.
  const dataDir = process.getuid?.() === 0 ? "/sys/data" : join(folder, "data");
  chmodSync(folder, 0o500);
  expect(() => prepareDataDir(dataDir)).toThrow(UnusableDataDir);
  expect(() => prepareDataDir(dataDir)).toThrow(/DATA_DIR/);
  expect(existsSync(dataDir)).toBe(false);
});

test.each(["/proc/x", "/proc/x/y"])(
  "%s, where no folder can be created, is rejected at once",
  (dataDir) => {
    expect(() => prepareDataDir(dataDir)).toThrow(`DATA_DIR ${dataDir} cannot be`);
  },
);

test("a file is rejected and keeps its mode", () => {
  const file = join(folder, "file");
  writeFileSync(file, "", { mode: 0o644 });
  expect(() => prepareDataDir(file)).toThrow(`DATA_DIR ${file} cannot be used: it is a file`);
  expect(statSync(file).mode & 0o777).toBe(0o644);
});

/** Starts a process that holds the lock until it is killed. */
async function lockElsewhere() {
  const code = `
    const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dirname, "data-dir.ts"))});
    const lock = lockDataDir(${JSON.stringify(folder)});
    console.log("locked");
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  await once(child.stdout, "data");
  return child;
}

test("a folder is locked once at a time, even within one process", () => {
  const lock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow(DataDirInUse);
  expect(isDataDirInUse(folder)).toBe(true);
  lock.release();
  expect(isDataDirInUse(folder)).toBe(false);
  lockDataDir(folder).release();
});

test("checking the lock does not release it", () => {
  const lock = lockDataDir(folder);
  for (let attempt = 0; attempt < 3; attempt += 1) expect(isDataDirInUse(folder)).toBe(true);
  lock.release();
});

test("the lock of another process ends with that process, even after kill -9", async () => {
  const child = await lockElsewhere();
  expect(() => lockDataDir(folder)).toThrow(`DATA_DIR ${folder} is in use`);
  child.kill("SIGKILL");
  await once(child, "exit");
  lockDataDir(folder).release();
});

test("a folder without a lock is not in use, and checking creates no file", () => {
  expect(isDataDirInUse(join(folder, "none"))).toBe(false);
});

test("other users cannot take the lock", () => {
  lockDataDir(folder).release();
  expect(statSync(join(folder, "site.lock")).mode & 0o077).toBe(0);
});
