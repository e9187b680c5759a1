// Opens the database of an installation for a script, whether the site runs or not.
// Covers: a running server through its own connections, a stopped one under the lock of DATA_DIR.
import { setTimeout as sleep } from "node:timers/promises";
import { DataDirInUse, type DataDirLock, lockDataDir } from "./data-dir.ts";
import { findRunning, startPostgres } from "./postgres/server.ts";
import type { Secrets } from "./secrets.ts";

const START_TIMEOUT_MS = 10_000;

/** @returns null when a site runs on the folder */
function lockUnlessRunning(dataDir: string): DataDirLock | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof DataDirInUse) return null;
    throw error;
  }
}

/** Waits, because the site may be starting. @throws {DataDirInUse} */
export async function runningDatabase(
  dataDir: string,
  { databasePassword }: Pick<Secrets, "databasePassword">,
): Promise<string> {
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 100) {
    const url = findRunning(dataDir, databasePassword);
    if (url) return url;
    await sleep(100);
  }
  throw new DataDirInUse(dataDir);
}

/** Runs `work` with the address of the database: the running one, or one that runs as long as `work` takes. */
export async function withDatabase<Result>(
  dataDir: string,
  secrets: Secrets,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const lock = lockUnlessRunning(dataDir);
  if (!lock) return work(await runningDatabase(dataDir, secrets));
  try {
    const server = await startPostgres(dataDir, secrets.databasePassword);
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}
