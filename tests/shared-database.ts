// One PostgreSQL for all contract tests, in which each project has a database: a server for each takes a second to start.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { connect, type Sql } from "embedded-supabase/database.ts";
import { type PostgresServer, startPostgres } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import prepare, { copyPreparedDataDir } from "./prepared-data-dir.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** Workers inherit the URL of the server from the process that starts it. */
const variable = "SHARED_DATABASE";

/** Vitest calls it before the first file (vitest.config.ts). */
export default async function start(): Promise<() => Promise<void>> {
  const removePrepared = await prepare();
  const folder = await createTemporaryFolder("shared-database");
  const dataDir = join(folder, "data");
  await copyPreparedDataDir(dataDir);
  const server = await startPostgres(dataDir, loadSecrets(dataDir).databasePassword, {
    // Each project has up to 25.
    max_connections: "200",
    // Nothing here has to survive a failure.
    ...{ synchronous_commit: "off", full_page_writes: "off" },
  });
  process.env[variable] = server.url;
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true });
    await removePrepared();
  };
}

/** Whether there is a shared server. Tests in `long/` end their servers, so each has its own. */
export function hasSharedServer(): boolean {
  return Boolean(process.env[variable]);
}

/** Creates a database like the prepared one. `stop` removes it. */
export async function createDatabase(): Promise<PostgresServer> {
  const name = `project-${randomUUID()}`;
  await onServer((sql) => sql`create database ${sql(name)} template postgres strategy file_copy`);
  const url = new URL(process.env[variable] ?? "");
  url.pathname = name;
  return {
    url: url.href,
    exited: new Promise(() => {}),
    stop: () => onServer((sql) => sql`drop database ${sql(name)} with (force)`),
  };
}

/** Connects to another database than the template, which nobody may use while it is copied. */
async function onServer(work: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const url = new URL(process.env[variable] ?? "");
  url.pathname = "template1";
  const sql = connect(url.href, 1);
  await work(sql);
  await sql.end();
}
