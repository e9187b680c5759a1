// `npm run archive:verify [-- --expect NUMBER:HASH]`: recomputes the hashes of the archive, in DATA_DIR or in the hosted
// project of SUPABASE_URL and SUPABASE_DB_URL, while the site runs or not. Prints what requests have erased, and a line for
// each change or gap; the exit code is 1 when there is one. NUMBER:HASH is what an earlier run printed.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect, connectToProject, type Sql } from "embedded-supabase/database.ts";
import { withDatabase } from "embedded-supabase/running-database.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { loadEnvironmentFile } from "../app/config/read-settings.ts";
import { hasArchiveRow, readArchiveHead } from "../server/embedded/live-facts.ts";
import { stop } from "./stop.ts";

try {
  const root = join(import.meta.dirname, "..");
  loadEnvironmentFile(root);
  const { expect } = parseArgs({ options: { expect: { type: "string" } } }).values;
  const { SUPABASE_URL, SUPABASE_DB_URL, DATA_DIR } = process.env;
  const dataDir = resolve(root, DATA_DIR || ".data");
  if (SUPABASE_URL && !SUPABASE_DB_URL)
    throw new Error("SUPABASE_DB_URL is missing (docs/hosted.md).");
  const problems = await (SUPABASE_URL && SUPABASE_DB_URL
    ? verify(connectToProject(SUPABASE_DB_URL, 1), expect)
    : withDatabase(dataDir, loadSecrets(dataDir, { create: false }).databasePassword, (url) =>
        verify(connect(url, 1), expect),
      ));
  for (const problem of problems) console.log(problem);
  console.log(problems.length > 0 ? `${problems.length} problems` : "Nothing was changed.");
  process.exit(problems.length > 0 ? 1 : 0);
} catch (error) {
  stop(error instanceof Error ? error.message : String(error));
}

/** @returns what was changed or is missing */
async function verify(sql: Sql, expected: string | undefined): Promise<string[]> {
  try {
    await sql`set statement_timeout = 0`;
    const found = await sql<{ problem: string }[]>`select private.verify_archive() as problem`;
    const problems = found.map(({ problem }) => problem);
    console.log(`The last row: ${(await readArchiveHead(sql)) ?? "none"}`);
    const [erased] = await sql<{ versions: number; requests: string | null }[]>`
      select count(*)::int as versions, string_agg(distinct document ->> 'erased', ', ') as requests
        from public.versions where kind = 'testimonial' and document ? 'erased'`;
    if (erased && erased.versions > 0) {
      console.log(
        `Erased versions of testimonials: ${erased.versions}, by the requests ${erased.requests}`,
      );
    }
    if (expected !== undefined && !(await hasArchiveRow(sql, expected))) {
      const [number] = expected.split(":");
      problems.push(`Row ${number} is missing or has another hash than expected.`);
    }
    return problems;
  } finally {
    await sql.end();
  }
}
