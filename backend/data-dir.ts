// The folder that holds everything of one installation.
// Covers: making it, its mode, telling at once when nothing can be written there. Does not cover: quotas.
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A new database and one segment of its log need this much. */
const smallestSpace = 100 * 1024 * 1024;

/** Its message tells the person who starts the site what to do: it needs no stack. */
export class UnusableDataDir extends Error {}

/**
 * Makes the folder where it is missing.
 * @param space bytes that must be free
 * @throws {UnusableDataDir}
 */
export function prepareDataDir(dataDir: string, space = smallestSpace): void {
  const probe = join(dataDir, ".write-test");
  try {
    mkdirSync(dataDir, { recursive: true });
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

function explain(dataDir: string, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return full(dataDir);
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return `DATA_DIR ${dataDir} cannot be written (${error.code}).
The site keeps its database and pictures there. Make the folder writable for the user that runs the site, or
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
    // The first failure is the one to tell.
  }
}
