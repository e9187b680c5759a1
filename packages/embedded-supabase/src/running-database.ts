// Connects to the database of a data folder, whether a site runs on it or not.
import { DataDirInUse, type DataDirLock, lockDataDir } from "./data-dir.ts";
import { runningDatabase, startPostgres } from "./postgres/server.ts";

/** @returns null when a site runs on the folder */
function lockUnlessRunning(dataDir: string): DataDirLock | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof DataDirInUse) return null;
    throw error;
  }
}

/** Runs `work` with the address of the running database, or of one that is started for the duration of `work`. */
export async function withDatabase<Result>(
  dataDir: string,
  databasePassword: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const lock = lockUnlessRunning(dataDir);
  if (!lock) return work(await runningDatabase(dataDir, databasePassword));
  try {
    const server = await startPostgres(dataDir, databasePassword);
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}
