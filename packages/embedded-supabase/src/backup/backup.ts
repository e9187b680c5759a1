// Backs up an installation, while it runs or not: one archive with everything that cannot be recreated.
// Covers: all rows in one snapshot (including accounts and password hashes), the keys, the images.
// Does not cover: Deno's cache, settings in the environment, schema changes outside migrations.
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddedConfig } from "../config.ts";
import { connect, type Sql, type Transaction } from "../database.ts";
import { withDatabase } from "../running-database.ts";
import { loadSecrets } from "../secrets.ts";
import {
  type ArchiveWriter,
  BadArchive,
  ENTRY_NAMES,
  formatOf,
  type Manifest,
  openBackup,
  writeArchive,
} from "./backup-file.ts";
import { dumpRows, listSequences, listTables, parseRows, type Table } from "./tables.ts";

interface BackupResult {
  rows: number;
  images: number;
  /** Images that are in the database but not on the disk. */
  missing: string[];
  facts: unknown;
}

/** Thrown when an image was deleted after its row was read and before its file was opened. */
class ImageGone extends Error {}

/** The last attempt reports missing images; earlier ones start again. */
const MAX_ATTEMPTS = 3;

type Config = Pick<EmbeddedConfig, "name" | "readBackupFacts">;

/** @param file a path that does not exist yet */
export async function backUp(config: Config, dataDir: string, file: string): Promise<BackupResult> {
  const { databasePassword } = loadSecrets(dataDir, { create: false });
  return withDatabase(dataDir, databasePassword, (url) => backUpFrom(config, url, dataDir, file));
}

async function backUpFrom(config: Config, url: string, dataDir: string, file: string) {
  const sql = connect(url, 1);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writeAll(config, sql, dataDir, file, attempt === MAX_ATTEMPTS);
      } catch (error) {
        if (!(error instanceof ImageGone)) throw error;
      }
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function writeAll(
  config: Config,
  sql: Sql,
  dataDir: string,
  file: string,
  missingAllowed: boolean,
): Promise<BackupResult> {
  return writeArchive(
    file,
    // Reads all tables in one snapshot, without locks that block writers.
    (archive) =>
      sql.begin("isolation level repeatable read read only", (transaction) =>
        writeEntries(config, transaction, archive, dataDir, missingAllowed),
      ),
    (unfinished) => verify(config, sql, unfinished, missingAllowed),
  );
}

/** Reads a backup in the same way as a restore. @throws BadArchive */
async function verify(
  { name }: Config,
  sql: Sql,
  file: string,
  missingAllowed: boolean,
): Promise<void> {
  const { manifest, entries } = await openBackup(name, file);
  let rows = 0;
  let images = 0;
  for await (const entry of entries) {
    if ("table" in entry) {
      rows += await parseRows(sql, entry.table, entry.rows);
    } else {
      for await (const _ of entry.content);
      images += 1;
    }
  }
  if (rows !== countAll(manifest.tables) || (images !== manifest.pictures && !missingAllowed)) {
    throw new BadArchive("The backup cannot be read back completely.");
  }
}

async function writeEntries(
  config: Config,
  transaction: Transaction,
  archive: ArchiveWriter,
  dataDir: string,
  missingAllowed: boolean,
): Promise<BackupResult> {
  const tables = await listTables(transaction);
  const versions = await listImages(transaction);
  const manifest: Manifest = {
    format: formatOf(config.name),
    madeAt: new Date().toISOString(),
    migrations: await listMigrations(transaction),
    tables,
    sequences: await listSequences(transaction),
    pictures: versions.length,
    facts: await config.readBackupFacts?.(transaction, dataDir),
  };
  await archive.add(ENTRY_NAMES.manifest, JSON.stringify(manifest, null, 2));
  const { databasePassword: _, ...keys } = loadSecrets(dataDir, { create: false });
  await archive.add(ENTRY_NAMES.secrets, JSON.stringify(keys, null, 2));
  for (const table of tables) {
    let part = 0;
    for await (const rows of dumpRows(transaction, table)) {
      part += 1;
      await archive.add(`tables/${table.schema}.${table.name}/${part}.json`, rows);
    }
  }
  const missing: string[] = [];
  for (const version of versions) {
    if (await addImage(archive, dataDir, version)) continue;
    if (!missingAllowed) throw new ImageGone();
    missing.push(version);
  }
  await archive.add(ENTRY_NAMES.end, "");
  const { facts } = manifest;
  return { rows: countAll(tables), images: versions.length - missing.length, missing, facts };
}

function countAll(tables: Table[]): number {
  return tables.reduce((sum, table) => sum + table.rows, 0);
}

/** @returns none when the database has no history of migrations */
export async function listMigrations(sql: Sql | Transaction): Promise<string[]> {
  const [history] = await sql`select from pg_tables where schemaname = 'supabase_migrations'`;
  if (!history) return [];
  const found = await sql<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations order by 1`;
  return found.map(({ version }) => version);
}

async function listImages(transaction: Transaction): Promise<string[]> {
  const found = await transaction<{ version: string }[]>`
    select version from storage.objects where version is not null order by 1`;
  return found.map(({ version }) => version);
}

/** @returns false when the file is missing */
async function addImage(
  archive: ArchiveWriter,
  dataDir: string,
  version: string,
): Promise<boolean> {
  const handle = await open(join(dataDir, "storage/objects", version)).catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!handle) return false;
  try {
    const { size } = await handle.stat();
    await archive.addStream(
      `pictures/${version}`,
      size,
      handle.createReadStream({ autoClose: false }),
    );
  } finally {
    await handle.close();
  }
  return true;
}
