// Copies in the archive, added as the site's capture does.
import { connect, type Sql } from "embedded-supabase/database.ts";
import { runningDatabase } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { createFile } from "../server/archive/page-copy.ts";

/** A step of a capture. */
export async function captureStep(sql: Sql, step: string, value: object) {
  const json = JSON.stringify(value);
  const [row] = await sql`select private.capture_site(${step}, ${json}::text::jsonb) as result`;
  return row?.result;
}

/** Adds a copy, or with null for the words the end of the page. */
export async function keepCopy(sql: Sql, path: string, words: string | null): Promise<void> {
  const ended = { path, title: "A page", digest: null, files: [], release: "1.0.0" };
  if (words === null) return captureStep(sql, "page", ended);
  const file = createFile("text/html", Buffer.from(`<p>${words}</p>`), words);
  await captureStep(sql, "file", { ...file, bytes: file.bytes.toString("base64") });
  await captureStep(sql, "page", { ...ended, digest: file.hash, files: [file.hash] });
}

/** Adds a copy to the archive of a running site that captures nothing itself. */
export async function keepCopyOf(dataDir: string, path: string, words: string): Promise<void> {
  const sql = connect(await runningDatabase(dataDir, loadSecrets(dataDir).databasePassword), 1);
  await keepCopy(sql, path, words);
  await sql.end();
}
