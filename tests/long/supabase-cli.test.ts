// Runs the real Supabase CLI with the files that a hosted project receives: migrations, seed and config.toml. It runs
// offline, with a database prepared like a hosted one.
import { execFile } from "node:child_process";
import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { seedWhenEmpty } from "embedded-supabase/migrations.ts";
import type { Database } from "embedded-supabase/start-database.ts";
import { expect, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { setUpDatabase, setUpFolder } from "../set-up.ts";

const root = join(import.meta.dirname, "../..");

const folder = await setUpFolder("supabase-cli");
// The CLI writes state files to the folder, which must not end up in the repository.
await cp(join(root, "supabase"), join(folder, "project/supabase"), { recursive: true });
await mkdir(join(folder, "home"));
/** A hosted project before its first migration: roles, auth and storage schemas. */
const hosted = await setUpDatabase(join(folder, "hosted"), new Set());
/** The database of an embedded site after its start. */
const embedded = await setUpDatabase(join(folder, "embedded"));
await seedWhenEmpty(embedded.sql, join(root, "supabase/seed.sql"), embeddedConfig.seededTables);

/** @returns the exit code and all output, because the CLI prints results to either stream */
function supabase(database: Database, ...command: string[]): Promise<[number, string]> {
  const args = [
    ...[join(root, "node_modules/supabase/dist/supabase.js"), ...command],
    ...["--db-url", `${database.url}?sslmode=disable`, "--workdir", join(folder, "project")],
  ];
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, "home"),
    SUPABASE_HOME: join(folder, "home"),
    // Prevents the CLI from sending anything to other machines.
    DO_NOT_TRACK: "1",
    SUPABASE_TELEMETRY_DISABLED: "1",
    SUPABASE_NO_UPDATE_NOTIFIER: "1",
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_COLOR: "1",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: 50_000 }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error ? -1 : 0;
      resolve([code, stdout + stderr]);
    });
  });
}

test("db push applies every migration and the seed to an empty project, without a warning", async () => {
  const [code, output] = await supabase(hosted, "db", "push", "--include-seed", "--yes");
  expect([code, output]).toEqual([0, expect.stringContaining("Seeding data from")]);
  // The CLI says that version 4 drops `--db-url`. Not every version 3 has the option that replaces
  // it.
  const warnings = output.split("\n").filter((line) => /^\W*warn/i.test(line));
  expect(warnings.filter((line) => !line.includes("--db-url is deprecated"))).toEqual([]);
  const versions = (database: Database) => database.sql`
    select version, name from supabase_migrations.schema_migrations order by version`;
  expect(await versions(hosted)).toEqual(await versions(embedded));
  expect(await versions(hosted)).toHaveLength(
    (await readdir(join(root, "supabase/migrations"))).length,
  );
  // `npm run check-live` compares them: the CLI splits a migration into statements.
  const facts = (database: Database) => database.sql`select * from project_facts() order by 1, 2`;
  expect(await facts(hosted)).toEqual(await facts(embedded));
  const titles = (database: Database) => database.sql`select title from posts order by title`;
  expect(await titles(hosted)).toEqual(await titles(embedded));
});

test("db push finds nothing to do on an embedded site, including the seed", async () => {
  expect(await supabase(embedded, "db", "push", "--include-seed", "--dry-run")).toEqual([
    0,
    expect.stringContaining("up to date"),
  ]);
});

test("db advisors report nothing", async () => {
  for (const database of [hosted, embedded]) {
    expect(await supabase(database, "db", "advisors", "--fail-on", "warn")).toEqual([
      0,
      expect.stringContaining("No issues found"),
    ]);
  }
});
