// DATA_DIR, the folder that holds everything of one installation.
// Covers: creating it, its mode, a clear error when it is not writable; the lock that lets one process use it at a time; the
// mark that keeps a restored copy from sending mail. Does not cover: quotas; copies made by hand; locks between two
// machines on a network file system without file locks.
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
import { DatabaseSync } from "node:sqlite";
import { StartError } from "./errors.ts";

/** The bytes that a new database and one segment of its write-ahead log need. */
const MIN_FREE_SPACE = 100 * 1024 * 1024;

export class UnusableDataDir extends StartError {}

/**
 * Creates the folder when it is missing, locks it and checks that it can be written.
 * @param space bytes that must be free
 * @throws {UnusableDataDir | DataDirInUse}
 */
export function openDataDir(dataDir: string, space = MIN_FREE_SPACE): DataDirLock {
  const probe = join(dataDir, ".write-test");
  let lock: DataDirLock | null = null;
  try {
    makeFolder(resolve(dataDir));
    if (!statSync(dataDir).isDirectory()) throw new Error("it is a file, not a folder.");
    // Lock first: a simultaneous start must not remove this start's probe.
    lock = lockDataDir(dataDir);
    // Under root, PostgreSQL runs as another user, which must be able to enter its subfolder.
    chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    writeFileSync(probe, Buffer.alloc(64 * 1024), { mode: 0o600, flush: true });
    rmSync(probe);
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize < space) throw new UnusableDataDir(full(dataDir));
    return lock;
  } catch (error) {
    // Only the process that holds the lock writes a probe.
    if (lock) removeQuietly(probe);
    lock?.release();
    if (error instanceof StartError) throw error;
    // Only calls of node:fs and node:sqlite throw here.
    throw new UnusableDataDir(explain(dataDir, error as NodeJS.ErrnoException), { cause: error });
  }
}

/** `mkdirSync` with `recursive` never returns on a file system whose mkdir fails with ENOENT, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created the folder meanwhile. Every error of mkdir carries a code.
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
  return `The disk of DATA_DIR ${dataDir} is full: less than ${MIN_FREE_SPACE / 1024 / 1024} MB are free.
Nothing was started or changed. Make room there, or name a folder on another disk in DATA_DIR.`;
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The first failure is reported instead.
  }
}

export interface DataDirLock {
  release(): void;
}

export class DataDirInUse extends StartError {
  constructor(dataDir: string) {
    super(`DATA_DIR ${dataDir} is in use by a running site, backup or restore. Nothing was changed.
Stop it first, or name another folder in DATA_DIR.`);
  }
}

const LOCK_FILE = "site.lock";
const SQLITE_BUSY = 5;

/**
 * Locks the folder until `release` or the end of the process, also after kill -9. Node has no file locks, but SQLite takes
 * them, so the lock is an exclusive transaction on an empty SQLite file.
 * @throws {DataDirInUse}
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = join(dataDir, LOCK_FILE);
  // Never open an existing file here: closing any handle of a locked file releases this process's own lock.
  if (!existsSync(file)) writeFileSync(file, "", { mode: 0o600, flag: "a" });
  // Without a timeout, two simultaneous attempts can each fail because of the other's shared lock.
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) {
      throw new DataDirInUse(dataDir);
    }
    throw error;
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}

/** Whether this or another process holds the lock now. */
export function isDataDirInUse(dataDir: string): boolean {
  if (!existsSync(join(dataDir, LOCK_FILE))) return false;
  try {
    lockDataDir(dataDir).release();
    return false;
  } catch (error) {
    if (error instanceof DataDirInUse) return true;
    throw error;
  }
}

const HELD_MAIL_FILE = "outgoing-mail-held";

/** Marks a restored copy: its queue contains messages that the live site sends, so it must not send any. */
export function holdOutgoingMail(dataDir: string): void {
  const explanation = `Restored from a backup at ${new Date().toISOString()}. See docs/operations.md.\n`;
  writeFileSync(join(dataDir, HELD_MAIL_FILE), explanation, { mode: 0o600, flush: true });
}

/** Whether this is a restored copy that must not send mail. Read when the site starts. */
export function isOutgoingMailHeld(dataDir: string): boolean {
  return existsSync(join(dataDir, HELD_MAIL_FILE));
}

/** @returns false when there was no such mark */
export function releaseOutgoingMail(dataDir: string): boolean {
  const wasHeld = isOutgoingMailHeld(dataDir);
  rmSync(join(dataDir, HELD_MAIL_FILE), { force: true });
  return wasHeld;
}
