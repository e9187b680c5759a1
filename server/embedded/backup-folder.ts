// DATA_DIR/backups: the nightly backups, and what is known of the last attempts.
// Covers: listing them, reading and replacing the state, the lock for those who change the folder. Does not cover: backups that `npm run backup` makes elsewhere.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  DataDirInUse,
  type DataDirLock,
  isDataDirInUse,
  lockDataDir,
} from "embedded-supabase/data-dir.ts";
import { z } from "zod";

const outcomeSchema = z.object({
  at: z.iso.datetime().transform((text) => new Date(text)),
  /** A sentence for the owner; null after a success. */
  problem: z.string().nullable(),
});
export type Outcome = z.output<typeof outcomeSchema>;

/** The last attempts to make a backup, to restore one on trial, and to copy one to the bucket. */
const attempts = ["backup", "trial", "copy"] as const;
export type Attempt = (typeof attempts)[number];
export type BackupState = Record<Attempt, Outcome | null>;

const storedSchema = z.object({
  backup: outcomeSchema.nullable().default(null),
  trial: outcomeSchema.nullable().default(null),
  copy: outcomeSchema.nullable().default(null),
  /** What a process does now, or did when it was killed. */
  running: z
    .object({ what: z.enum(attempts), since: outcomeSchema.shape.at })
    .nullable()
    .default(null),
});

export interface StoredBackup {
  name: string;
  madeAt: Date;
  bytes: number;
}

const stateName = "state.json";
export const bucketName = "bucket.json";
const namePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.gz$/;

export function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

/** The settings of the bucket for copies (bucket.ts). */
export function bucketFile(dataDir: string): string {
  return join(backupFolder(dataDir), bucketName);
}

/** Where a restore is tried. */
export function trialFolder(dataDir: string): string {
  return join(dataDir, "restore-trial");
}

/** @returns null while another process has the lock */
export function lockBackups(dataDir: string): DataDirLock | null {
  mkdirSync(backupFolder(dataDir), { recursive: true, mode: 0o700 });
  try {
    return lockDataDir(backupFolder(dataDir));
  } catch (error) {
    if (error instanceof DataDirInUse) return null;
    throw error;
  }
}

/** Removes what a killed process left, and records that it failed. The caller holds the lock. */
export function removeLeftovers(dataDir: string): void {
  const folder = backupFolder(dataDir);
  const { running } = readStored(dataDir);
  if (running) endAttempt(dataDir, running.what, interrupted(running.since));
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".unfinished")) rmSync(join(folder, name), { force: true });
  }
  rmSync(trialFolder(dataDir), { recursive: true, force: true });
}

/** A name that sorts by time. */
export function nameOf(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar.gz`;
}

/** @returns null for another file */
export function timeOf(name: string): Date | null {
  const [, day, hour, minute, second] = namePattern.exec(name) ?? [];
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : null;
}

/** The finished backups, the newest first. */
export function listBackups(dataDir: string): StoredBackup[] {
  const folder = backupFolder(dataDir);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .flatMap((name) => {
      const madeAt = timeOf(name);
      if (!madeAt) return [];
      const { size: bytes } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {
        size: 0,
      };
      return [{ name, madeAt, bytes }];
    })
    .toSorted((a, b) => b.name.localeCompare(a.name));
}

export function readBackupState(dataDir: string): BackupState {
  const { running, ...state } = readStored(dataDir);
  if (running && !isDataDirInUse(backupFolder(dataDir))) {
    state[running.what] = interrupted(running.since);
  }
  // What was tried with other settings says nothing about this bucket.
  const bucketSince = statSync(bucketFile(dataDir), { throwIfNoEntry: false })?.mtime;
  const isOfBucket = state.copy && bucketSince && state.copy.at > bucketSince;
  return { ...state, copy: isOfBucket ? state.copy : null };
}

/** Only the process that holds the lock on the folder calls this. */
export function startAttempt(dataDir: string, what: Attempt): void {
  store(dataDir, { ...readStored(dataDir), running: { what, since: new Date() } });
}

/** Only the process that holds the lock on the folder calls this. */
export function endAttempt(dataDir: string, what: Attempt, outcome: Outcome): void {
  store(dataDir, { ...readStored(dataDir), [what]: outcome, running: null });
}

function readStored(dataDir: string): z.output<typeof storedSchema> {
  const file = join(backupFolder(dataDir), stateName);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "{}";
  // A state that cannot be read is forgotten: the next night writes another one.
  return storedSchema.catch(storedSchema.parse({})).parse(parseJson(text));
}

function store(dataDir: string, state: z.output<typeof storedSchema>): void {
  replaceInFolder(dataDir, stateName, JSON.stringify(state, null, 2));
}

function interrupted(at: Date): Outcome {
  return { at, problem: "It was interrupted" };
}

/** Replaces a file of the folder in one step. */
export function replaceInFolder(dataDir: string, name: string, content: string): void {
  mkdirSync(backupFolder(dataDir), { recursive: true, mode: 0o700 });
  const file = join(backupFolder(dataDir), name);
  writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
