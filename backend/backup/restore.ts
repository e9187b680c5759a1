// Puts a backup in the place of an installation: all of it or nothing.
// The new installation is made beside the place, checked, and takes its name at the end. The tables are made by the
// migrations that made them then, filled, and only then brought up to date: neither PostgreSQL nor this site needs
// to have the version that made the backup. Does not cover: backups of a newer site.
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DataDirInUse, type DataDirLock, isDataDirInUse, lockDataDir } from "../data-dir-lock.ts";
import type { Transaction } from "../database.ts";
import { holdMail } from "../held-mail.ts";
import { findRunning } from "../postgres/server.ts";
import { adoptKeys, loadSecrets } from "../secrets.ts";
import { startDatabase } from "../start-database.ts";
import { type ArchiveEntry, BadArchive, readArchive } from "./archive.ts";
import { entryNames, type Manifest, manifestSchema } from "./manifest.ts";
import { beginLoad, countRows, listTables, loadRows, setSequence, type Table } from "./tables.ts";

export interface RestoreOptions {
  file: string;
  dataDir: string;
  /** Whether an installation in `dataDir` is moved aside; otherwise it is an error. */
  replace: boolean;
  onStep: (line: string) => void;
}

export interface RestoreResult {
  rows: number;
  pictures: number;
  /** Where the former installation lies now; null when there was none. */
  formerDir: string | null;
}

/** Nothing was changed. Its message is for the person who asked for the restore. */
export class RestoreRefused extends Error {}

export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, replace } = options;
  const lock = await claimPlace(dataDir, replace);
  const workDir = `${dataDir}.restoring`;
  try {
    await makeWorkDir(workDir);
    return await restoreInto(workDir, options);
  } finally {
    lock?.release();
  }
}

async function restoreInto(workDir: string, options: RestoreOptions): Promise<RestoreResult> {
  const { file, dataDir, onStep } = options;
  try {
    const entries = readArchive(file);
    const manifest = parseManifest(await nextEntry(entries, entryNames.manifest));
    adoptKeys(workDir, await nextEntry(entries, entryNames.secrets));
    onStep(`Backup of ${manifest.madeAt}`);
    await fill(workDir, manifest, entries, onStep);
    holdMail(workDir);
    const formerDir = await takePlace(workDir, dataDir);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { rows, pictures: manifest.pictures, formerDir };
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
    throw new RestoreRefused(`${workDir} cannot be made: ${(error as Error).message}.
The new installation is built beside DATA_DIR, so the folder around it must be writable.`);
  }
}

/** @returns the lock on the installation that is to be replaced; null when there is none. */
async function claimPlace(dataDir: string, replace: boolean): Promise<DataDirLock | null> {
  const found = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (found.length === 0) return null;
  if (!replace) {
    throw new RestoreRefused(
      `${dataDir} is not empty. With --replace it is moved aside and the backup takes its place.`,
    );
  }
  if (!found.includes("secrets.json")) return null;
  const lock = lockInstallation(dataDir);
  // Left by a site that was killed together with the process that stops its database.
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

async function nextEntry(entries: AsyncGenerator<ArchiveEntry>, name: string): Promise<string> {
  const { value } = await entries.next();
  if (value?.name !== name) throw new BadArchive("This is not a backup of this site.");
  return text(value.content);
}

function parseManifest(json: string): Manifest {
  const { data } = manifestSchema.safeParse(JSON.parse(json));
  if (!data)
    throw new BadArchive("This is not a backup of this site, or of a newer version of it.");
  return data;
}

async function fill(
  workDir: string,
  manifest: Manifest,
  entries: AsyncGenerator<ArchiveEntry>,
  onStep: (line: string) => void,
): Promise<void> {
  const options = { dataDir: workDir, siteUrl: "http://127.0.0.1", onStep };
  const database = await startDatabase({ ...options, migrations: new Set(manifest.migrations) });
  try {
    await database.sql.begin(async (transaction) => {
      await assertFits(transaction, manifest);
      await beginLoad(transaction, manifest.tables);
      await loadEntries(transaction, workDir, manifest, entries);
      for (const sequence of manifest.sequences) await setSequence(transaction, sequence);
      for (const table of manifest.tables) {
        if ((await countRows(transaction, table)) === table.rows) continue;
        throw new BadArchive(
          `The archive is damaged: rows of ${table.schema}.${table.name} are missing.`,
        );
      }
    });
  } finally {
    await database.stop();
  }
  // Whatever this version of the site has added since.
  await (await startDatabase(options)).stop();
}

/** Every table and column of the backup must have its place. */
async function assertFits(transaction: Transaction, { tables }: Manifest): Promise<void> {
  const present = await listTables(transaction);
  for (const table of tables) {
    const name = `${table.schema}.${table.name}`;
    const same = present.find((other) => `${other.schema}.${other.name}` === name);
    if (!same) throw new RestoreRefused(`This version of the site has no table ${name}.`);
    const unknown = table.columns.filter((column) => !same.columns.includes(column));
    if (unknown.length === 0) continue;
    throw new RestoreRefused(`This version of the site has no column ${unknown} in ${name}.`);
  }
}

const tablePart = /^tables\/(.+)\/\d+\.json$/;
const picture = /^pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

async function loadEntries(
  transaction: Transaction,
  workDir: string,
  { tables }: Manifest,
  entries: AsyncGenerator<ArchiveEntry>,
): Promise<void> {
  const byName = new Map<string, Table>(
    tables.map((table) => [`${table.schema}.${table.name}`, table]),
  );
  for await (const { name, content } of entries) {
    const table = byName.get(tablePart.exec(name)?.[1] ?? "");
    const version = picture.exec(name)?.[1];
    if (table) {
      await loadRows(transaction, table, await text(content));
    } else if (version) {
      const target = join(workDir, "storage/objects", version);
      await writeFile(target, content, { mode: 0o600, flag: "wx", flush: true });
    } else if (name === entryNames.end) {
      return;
    } else {
      throw new BadArchive(`The archive holds ${JSON.stringify(name)}, which no backup has.`);
    }
  }
  throw new BadArchive("The archive was cut off: its end is missing.");
}

/** @returns where the former installation lies now. */
async function takePlace(workDir: string, dataDir: string): Promise<string | null> {
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
    if (!["EBUSY", "EXDEV"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new RestoreRefused(`${dataDir} is the top of a mounted disk and cannot be replaced as a whole.
Restore into a folder inside it, and name that in DATA_DIR.`);
  }
  try {
    await rename(workDir, dataDir);
  } catch (error) {
    if (!isEmpty) await rename(formerDir, dataDir);
    throw error;
  }
  return isEmpty ? null : formerDir;
}
