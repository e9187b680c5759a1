// Applies the migrations once each, as the Supabase CLI does, and seeds an empty database.
// Covers: forward migrations, recorded in the CLI's history table. Does not cover: rollback, declarative schemas.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "./database.ts";

/**
 * Applies each migration that the history table does not list, oldest first, each in its own transaction.
 * @param only the versions to apply; all when omitted.
 * @returns the files applied now.
 */
export async function migrate(
  sql: Sql,
  folder: string,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const history = await sql<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations`;
  const applied = new Set(history.map(({ version }) => version));
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();

  const now: string[] = [];
  for (const file of files) {
    const [version = "", ...words] = file.replace(/\.sql$/, "").split("_");
    if (applied.has(version) || (only && !only.has(version))) continue;
    const text = await readFile(join(folder, file), "utf8");
    try {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(text);
        await transaction`
          insert into supabase_migrations.schema_migrations (version, name, statements)
          values (${version}, ${words.join("_")}, ${[text]})`;
      });
    } catch (error) {
      throw new Error(`Migration ${file} failed: ${error}`, { cause: error });
    }
    now.push(file);
  }
  return now;
}

/** Finds applied migrations whose file has changed since. Their change is missing in the database. */
export async function findEdited(sql: Sql, folder: string): Promise<string[]> {
  const history = await sql<{ version: string; statements: string[] | null }[]>`
    select version, statements from supabase_migrations.schema_migrations`;
  const texts = new Map(history.map(({ version, statements }) => [version, statements?.join()]));
  const edited: string[] = [];
  for (const file of await readdir(folder)) {
    const applied = texts.get(file.split("_")[0] ?? "");
    if (applied && applied !== (await readFile(join(folder, file), "utf8"))) edited.push(file);
  }
  return edited;
}

/** @param tables the seed is loaded only while all of them are empty */
export async function seedWhenEmpty(
  sql: Sql,
  file: string,
  tables: readonly string[],
): Promise<boolean> {
  const reasons = [
    sql`exists (select from supabase_migrations.seed_files)`,
    ...tables.map((table) => sql`or exists (select from ${sql(table)})`),
  ];
  const [{ seeded = true } = {}] = await sql<{ seeded: boolean }[]>`select ${reasons} as seeded`;
  if (seeded) return false;
  const text = await readFile(file, "utf8");
  const hash = createHash("sha256").update(text).digest("hex");
  await sql.begin(async (transaction) => {
    await transaction.unsafe(text);
    await transaction`
      insert into supabase_migrations.seed_files (path, hash) values ('supabase/seed.sql', ${hash})`;
  });
  return true;
}
