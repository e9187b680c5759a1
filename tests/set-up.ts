// What a test file starts once and Vitest ends after the last test. See setUpProject in start-project.ts.
import { rm } from "node:fs/promises";
import { connect } from "embedded-supabase/database.ts";
import { startDatabase } from "embedded-supabase/start-database.ts";
import { afterAll } from "vitest";
import { embeddedConfig } from "../embedded.config.ts";
import { createDatabase } from "./shared-database.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export async function setUpFolder(name: string): Promise<string> {
  const folder = await createTemporaryFolder(name);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A database like that of a new site, without the backend. */
export async function setUpPreparedDatabase() {
  const { url, stop } = await createDatabase();
  const sql = connect(url, 6);
  afterAll(async () => {
    await sql.end();
    await stop();
  });
  return { url, sql };
}

/** The database of the embedded backend, without its services, on a server of its own. */
export async function setUpDatabase(dataDir: string, migrations?: ReadonlySet<string>) {
  const options = { config: embeddedConfig, siteUrl: "http://127.0.0.1:3000", migrations };
  const database = await startDatabase({ ...options, dataDir, onStep: () => {} });
  afterAll(() => database.stop());
  return database;
}
