// At most one process uses a DATA_DIR at a time.
// Covers: two starts at once, backup and restore beside a running site, kill -9, reused process ids, containers that
// share a folder on one machine. The operating system holds the lock and releases it when the process ends, however
// it ends: Node has no file locks of its own, but SQLite takes them, so an exclusive transaction on an empty SQLite
// file is the lock. Does not cover: two machines on a network file system without file locks.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "./start-error.ts";

export interface DataDirLock {
  release(): void;
}

export class DataDirInUse extends StartError {
  constructor(dataDir: string) {
    super(`DATA_DIR ${dataDir} is in use by a running site, backup or restore. Nothing was changed.
Stop it first, or name another folder in DATA_DIR.`);
  }
}

const fileName = "site.lock";
/** SQLITE_BUSY */
const busy = 5;

/** @throws {DataDirInUse} */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = join(dataDir, fileName);
  // Only a missing file is created: closing any handle of a locked file would release this process's own lock.
  if (!existsSync(file)) writeFileSync(file, "", { mode: 0o600, flag: "a" });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === busy) {
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

/** Whether another process, or another part of this one, holds the lock now. */
export function isDataDirInUse(dataDir: string): boolean {
  if (!existsSync(join(dataDir, fileName))) return false;
  try {
    lockDataDir(dataDir).release();
    return false;
  } catch (error) {
    if (error instanceof DataDirInUse) return true;
    throw error;
  }
}
