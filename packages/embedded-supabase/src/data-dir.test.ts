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
  openDataDir,
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
  openDataDir(dataDir).release();
  expect(readdirSync(dataDir)).toEqual(["site.lock"]);
  expect(statSync(dataDir).mode & 0o066).toBe(0);
});

test("a full disk is reported with what to do", () => {
  expect(() => openDataDir(folder, Number.MAX_SAFE_INTEGER)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/is full.*\n.*Make room/) }),
  );
  expect(readdirSync(folder)).toEqual(["site.lock"]);
  expect(isDataDirInUse(folder)).toBe(false);
});

test("a folder that cannot be written is reported with what to do", () => {
  // Root could write to any other path.
  const dataDir = process.getuid?.() === 0 ? "/sys/data" : join(folder, "data");
  chmodSync(folder, 0o500);
  expect(() => openDataDir(dataDir)).toThrow(UnusableDataDir);
  expect(() => openDataDir(dataDir)).toThrow(/DATA_DIR/);
  expect(existsSync(dataDir)).toBe(false);
});

test.each(["/proc/x", "/proc/x/y"])(
  "%s, where no folder can be created, is rejected at once",
  (dataDir) => {
    expect(() => openDataDir(dataDir)).toThrow(`DATA_DIR ${dataDir} cannot be`);
  },
);

test("a file is rejected and keeps its mode", () => {
  const file = join(folder, "file");
  writeFileSync(file, "", { mode: 0o644 });
  expect(() => openDataDir(file)).toThrow(`DATA_DIR ${file} cannot be used: it is a file`);
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

test("a start that finds the folder locked leaves the probe of the other one alone", () => {
  const lock = lockDataDir(folder);
  writeFileSync(join(folder, ".write-test"), "");
  expect(() => openDataDir(folder)).toThrow(DataDirInUse);
  expect(readdirSync(folder)).toContain(".write-test");
  lock.release();
});

test("of several processes that open a new folder at the same time exactly one succeeds", async () => {
  const code = `
    const { openDataDir } = await import(${JSON.stringify(join(import.meta.dirname, "data-dir.ts"))});
    process.stdin.once("data", () => {
      try {
        const lock = openDataDir(${JSON.stringify(join(folder, "new"))});
        console.log("opened");
        setInterval(() => lock, 1000);
      } catch (error) {
        console.log(error.constructor.name);
      }
    });
    console.log("ready");`;
  const processes = Array.from({ length: 5 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", code]),
  );
  await Promise.all(processes.map(({ stdout }) => once(stdout, "data")));
  const outcomes = processes.map(async ({ stdin, stdout }) => {
    stdin.write("go");
    return String((await once(stdout, "data"))[0]).trim();
  });
  const sorted = (await Promise.all(outcomes)).toSorted();
  for (const process of processes) process.kill("SIGKILL");
  expect(sorted).toEqual([...Array(4).fill("DataDirInUse"), "opened"]);
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
