// Replaces an installation with a backup: completely or not at all. Builds the new installation beside DATA_DIR, checks it,
// and renames it at the end. Its tables are created by the migrations that the backup lists, filled, and then migrated.
// Covers: backups of older versions of the site and of PostgreSQL, also one whose tables are gone (config.former).
// Does not cover: backups of a newer site.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddedConfig, FormerConfig } from "../config.ts";
import {
  DataDirInUse,
  type DataDirLock,
  holdOutgoingMail,
  isDataDirInUse,
  lockDataDir,
} from "../data-dir.ts";
import { codeOf } from "../errors.ts";
import { findRunning } from "../postgres/server.ts";
import { adoptKeys, loadSecrets } from "../secrets.ts";
import { startDatabase } from "../start-database.ts";
import { BadArchive, type OpenBackup, openBackup } from "./backup-file.ts";
import {
  beginLoad,
  countRows,
  hasSequence,
  keepRows,
  listTables,
  loadRows,
  setSequence,
  type Table,
} from "./tables.ts";

interface RestoreOptions {
  config: EmbeddedConfig;
  file: string;
  dataDir: string;
  /** Whether to move an existing installation in `dataDir` aside; otherwise it is an error. */
  replace: boolean;
  onStep: (line: string) => void;
}

/** The restore was rejected before it changed anything. The message is printed for the person who started it. */
export class RestoreRefused extends Error {}

/** @returns also when the backup was made (ISO 8601), and where the former installation is now; null when there was none */
export async function restore(options: RestoreOptions) {
  const { dataDir, replace } = options;
  const lock = await lockTarget(dataDir, replace);
  const workDir = `${dataDir}.restoring`;
  try {
    await makeWorkDir(workDir);
    return await restoreInto(workDir, options);
  } finally {
    lock?.release();
  }
}

async function restoreInto(workDir: string, options: RestoreOptions) {
  const { config, file, dataDir, onStep } = options;
  try {
    const backup = await openBackup(config.name, file);
    const { manifest } = backup;
    adoptKeys(workDir, backup.secrets);
    onStep(`Backup of ${manifest.madeAt}`);
    await fill(config, workDir, backup, onStep);
    holdOutgoingMail(workDir);
    const formerDir = await replaceDataDir(workDir, dataDir);
    for (const name of (formerDir && config.keptFiles) || []) {
      const former = join(formerDir ?? "", name);
      if (existsSync(former)) await rename(former, join(dataDir, name));
    }
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { madeAt: manifest.madeAt, rows, images: manifest.pictures, formerDir };
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function makeWorkDir(workDir: string): Promise<void> {
  if (isDataDirInUse(workDir)) throw new RestoreRefused(`Another restore uses ${workDir}.`);
  try {
    await rm(workDir, { recursive: true, force: true });
    await mkdir(join(workDir, "storage/objects"), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new RestoreRefused(`${workDir} cannot be created: ${error}.
The new installation is built beside DATA_DIR, so the folder around it must be writable.`);
  }
}

/** @returns the lock on the installation to replace; null when there is no installation */
async function lockTarget(dataDir: string, replace: boolean): Promise<DataDirLock | null> {
  const found = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (found.length === 0) return null;
  if (!replace) {
    throw new RestoreRefused(
      `${dataDir} is not empty. With --replace it is moved aside and the backup takes its place.`,
    );
  }
  if (!found.includes("secrets.json")) return null;
  const lock = lockInstallation(dataDir);
  // This happens when the site was killed together with the process that stops its database.
  if (findRunning(dataDir, loadSecrets(dataDir).databasePassword)) {
    lock.release();
    throw new RestoreRefused(`A database still runs on ${dataDir}. Stop it first.`);
  }
  return lock;
}

function lockInstallation(dataDir: string): DataDirLock {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    throw new RestoreRefused(`A site runs on ${dataDir}. Stop it first.`, { cause: error });
  }
}

async function fill(
  config: EmbeddedConfig,
  workDir: string,
  { manifest, entries }: OpenBackup,
  onStep: (line: string) => void,
): Promise<void> {
  const options = { config, dataDir: workDir, siteUrl: "http://127.0.0.1", onStep };
  const { former } = config;
  const isFormer = manifest.tables.some(({ name }) => former?.tables.includes(name));
  // A former version had other migrations, so the present ones create the tables at once.
  const migrations = isFormer ? undefined : new Set(manifest.migrations);
  const database = await startDatabase({ ...options, migrations });
  try {
    await database.sql.begin(async (transaction) => {
      const present = await listTables(transaction);
      const tables = isFormer
        ? listLoaded(manifest.tables, present, former)
        : assertFits(manifest.tables, present);
      await beginLoad(transaction, tables);
      if (isFormer) {
        await transaction`create schema former`;
        await transaction`create table former.rows (name text, row jsonb)`;
      }
      for await (const entry of entries) {
        if ("table" in entry) {
          const { name } = entry.table;
          const table = tables.find((other) => isSame(other, entry.table));
          if (table) await loadRows(transaction, table, entry.rows);
          else if (former?.tables.includes(name)) await keepRows(transaction, name, entry.rows);
        } else {
          const target = join(workDir, "storage/objects", entry.version);
          await writeFile(target, entry.content, { mode: 0o600, flag: "wx", flush: true });
        }
      }
      for (const sequence of manifest.sequences) {
        if (!isFormer || (await hasSequence(transaction, sequence))) {
          await setSequence(transaction, sequence);
        }
      }
      for (const table of tables) {
        if ((await countRows(transaction, table)) === table.rows) continue;
        throw new BadArchive(
          `The archive is damaged: rows of ${table.schema}.${table.name} are missing.`,
        );
      }
      if (isFormer && former) {
        onStep("Moving the content of a former version…");
        await transaction.unsafe(await readFile(join(config.supabaseDir, former.upgrade), "utf8"));
        await transaction`drop schema former cascade`;
      }
    });
  } finally {
    await database.stop();
  }
  // Applies the migrations since the backup.
  await (await startDatabase(options)).stop();
}

function isSame(one: Table, other: Table): boolean {
  return one.schema === other.schema && one.name === other.name;
}

/** The tables of a backup of a former version that are loaded as they are, with the columns that still exist. */
function listLoaded(tables: Table[], present: Table[], former: FormerConfig | undefined): Table[] {
  const rest = tables.filter(({ name }) => ![former?.tables, former?.filled].flat().includes(name));
  return assertFits(
    rest.map((table) => {
      const columns = present.find((other) => isSame(other, table))?.columns ?? [];
      return { ...table, columns: table.columns.filter((column) => columns.includes(column)) };
    }),
    present,
  );
}

/** Checks that every table and column of the backup exists. @returns the tables */
function assertFits(tables: Table[], present: Table[]): Table[] {
  for (const table of tables) {
    const name = `${table.schema}.${table.name}`;
    const same = present.find((other) => isSame(other, table));
    if (!same) throw new RestoreRefused(`This version of the site has no table ${name}.`);
    const unknown = table.columns.filter((column) => !same.columns.includes(column));
    if (unknown.length === 0) continue;
    throw new RestoreRefused(`This version of the site has no column ${unknown} in ${name}.`);
  }
  return tables;
}

/** @returns where the former installation was moved; null when there was none */
async function replaceDataDir(workDir: string, dataDir: string): Promise<string | null> {
  if (!existsSync(dataDir)) {
    await rename(workDir, dataDir);
    return null;
  }
  const isEmpty = (await readdir(dataDir)).length === 0;
  const formerDir = `${dataDir}.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  try {
    if (isEmpty) await rmdir(dataDir);
    else await rename(dataDir, formerDir);
  } catch (error) {
    if (!["EBUSY", "EXDEV"].includes(codeOf(error))) throw error;
    throw new RestoreRefused(`${dataDir} is the root of a mounted disk and cannot be replaced.
Restore into a folder inside it, and set DATA_DIR to that folder.`);
  }
  try {
    await rename(workDir, dataDir);
  } catch (error) {
    if (!isEmpty) await rename(formerDir, dataDir);
    throw error;
  }
  return isEmpty ? null : formerDir;
}
