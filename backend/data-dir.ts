// The folder that holds everything of one installation.
// Covers: making it, its mode, telling at once when nothing can be written there. Does not cover: quotas.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartError } from "./start-error.ts";

/** A new database and one segment of its log need this much. */
const smallestSpace = 100 * 1024 * 1024;

export class UnusableDataDir extends StartError {}

/**
 * Makes the folder where it is missing.
 * @param space bytes that must be free
 * @throws {UnusableDataDir}
 */
export function prepareDataDir(dataDir: string, space = smallestSpace): void {
  const probe = join(dataDir, ".write-test");
  try {
    makeFolder(resolve(dataDir));
    if (!statSync(dataDir).isDirectory()) throw new Error("it is a file, not a folder.");
    // As root, PostgreSQL runs as a user of its own that must be able to pass through.
    chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    writeFileSync(probe, Buffer.alloc(64 * 1024), { mode: 0o600, flush: true });
    rmSync(probe);
  } catch (error) {
    removeQuietly(probe);
    throw new UnusableDataDir(explain(dataDir, error as NodeJS.ErrnoException), { cause: error });
  }
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize < space) throw new UnusableDataDir(full(dataDir));
}

/** `mkdirSync` with `recursive` never returns where a file system answers ENOENT to mkdir, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function explain(dataDir: string, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return full(dataDir);
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return `DATA_DIR ${dataDir} cannot be written (${error.code}).
The site keeps its database and images there. Make the folder writable for the user that runs the site, or
name another one in DATA_DIR.`;
    default:
      return `DATA_DIR ${dataDir} cannot be used: ${error.message}`;
  }
}

function full(dataDir: string): string {
  return `The disk of DATA_DIR ${dataDir} is full: less than ${smallestSpace / 1024 / 1024} MB are free.
Nothing was started or changed. Make room there, or name a folder on another disk in DATA_DIR.`;
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The first failure is the one to report.
  }
}
