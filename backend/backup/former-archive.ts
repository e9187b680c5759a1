// Finds what the archive of a replaced data folder has and the restored one lacks, because the backup is older.
// Covers: any folder that a site has stopped on. Does not cover: copying entries, whose hashes would no longer fit.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../database.ts";
import { startPostgres } from "../postgres/server.ts";
import { loadSecrets } from "../secrets.ts";

/**
 * @param restored the hashes of the restored archive
 * @returns a sentence that says how long the folder must be kept; null when the restored archive has everything
 */
export async function describeLeftOut(dataDir: string, restored: string[]): Promise<string | null> {
  if (!existsSync(join(dataDir, "secrets.json"))) return null;
  try {
    const { databasePassword } = loadSecrets(dataDir, { create: false });
    const server = await startPostgres(dataDir, databasePassword);
    const sql = connect(server.url, 1);
    try {
      const [found] = await sql<{ entries: number; text: string }[]>`
        select count(*)::int as entries,
            format(
              'Its archive has %s entries that the backup lacks (numbers %s to %s, %s to %s). Keep it until %s.',
              count(*), min(number), max(number), min(at)::date, max(at)::date,
              private.archive_end(now())::date
            ) as text
          from archive_entries
          where hash not in (select unnest(${restored}::text[]))`;
      return found?.entries ? found.text : null;
    } finally {
      await sql.end({ timeout: 1 });
      await server.stop();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return `Its archive could not be read (${reason}). Keep it.`;
  }
}
