import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataDirInUse, isDataDirInUse, lockDataDir } from "./data-dir-lock.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "data-dir-lock-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Another process that takes the lock and keeps it until it is killed. */
async function lockElsewhere() {
  const code = `
    const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dirname, "data-dir-lock.ts"))});
    const lock = lockDataDir(${JSON.stringify(folder)});
    console.log("locked");
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  await once(child.stdout, "data");
  return child;
}

test("a folder is locked once at a time, also within one process", () => {
  const lock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow(DataDirInUse);
  expect(isDataDirInUse(folder)).toBe(true);
  lock.release();
  expect(isDataDirInUse(folder)).toBe(false);
  lockDataDir(folder).release();
});

test("asking for the lock does not end it", () => {
  const lock = lockDataDir(folder);
  for (let attempt = 0; attempt < 3; attempt += 1) expect(isDataDirInUse(folder)).toBe(true);
  lock.release();
});

test("the lock of another process ends with it, even by kill -9", async () => {
  const child = await lockElsewhere();
  expect(() => lockDataDir(folder)).toThrow(`DATA_DIR ${folder} is in use`);
  child.kill("SIGKILL");
  await once(child, "exit");
  lockDataDir(folder).release();
});

test("a folder without a lock is not in use, and looking makes no file", () => {
  expect(isDataDirInUse(join(folder, "none"))).toBe(false);
});

test("other users cannot take the lock", () => {
  lockDataDir(folder).release();
  expect(statSync(join(folder, "site.lock")).mode & 0o077).toBe(0);
});
