// Calls remove-unused-images when images have been unused for a day, as pg_cron does on a hosted project.
// Covers: asking the database, calling the function. Does not cover: removing, which the function does.
import type { Sql } from "./database.ts";
import { type RepeatedWork, repeatWork } from "./repeated-work.ts";

interface UnusedImagesOptions {
  sql: Sql;
  /** Calls the function with the secret key. */
  requestRemoval(): Promise<Response>;
  /** Milliseconds between two looks. */
  interval: number;
  log: (line: string) => void;
}

/** The function's process is not started while there is nothing to remove. */
export function startUnusedImageRemoval(options: UnusedImagesOptions): RepeatedWork {
  const { sql, requestRemoval, interval, log } = options;
  return repeatWork({
    work: removeUnused,
    onFailure: (error) => log(`Unused images were not removed: ${error.name}`),
    delay: 0,
    interval,
  });

  async function removeUnused(isStopped: () => boolean): Promise<void> {
    const [row] = await sql<{ due: boolean }[]>`select private.note_unused_images() as due`;
    if (!row?.due || isStopped()) return;
    const response = await requestRemoval();
    await response.body?.cancel();
    if (!response.ok) {
      log(`Unused images were not removed: remove-unused-images answered ${response.status}`);
    }
  }
}
