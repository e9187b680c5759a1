// The work of one night: makes a backup, which is read back, deletes expired ones, and once a week restores one on trial.
// Covers: one at a time for all processes, too little room on the disk, what a killed process left behind.
// Does not cover: when it is called (schedule-backups.ts).
import { mkdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { backUp } from "embedded-supabase/backup/backup.ts";
import { restore } from "embedded-supabase/backup/restore.ts";
import { isOutgoingMailHeld } from "embedded-supabase/data-dir.ts";
import { embeddedConfig } from "../../embedded.config.ts";
import {
  type Attempt,
  backupFolder,
  endAttempt,
  listBackups,
  lockBackups,
  nameOf,
  readBackupState,
  removeLeftovers,
  startAttempt,
  trialFolder,
} from "./backup-folder.ts";
import { isBackupDue, isTrialDue, listExpired, type Night } from "./backup-plan.ts";
import { copyToBucket, readBucket } from "./bucket.ts";
import { backupFactsSchema, markBackup } from "./live-facts.ts";

const megabyte = 1024 ** 2;
/** What must stay free for the site. */
const reserve = 256 * megabyte;

/** Does what is due; nothing while another process does it. */
export async function runNight(night: Night): Promise<void> {
  const { dataDir, timeZone, isAsked } = night;
  const now = new Date();
  const lock = lockBackups(dataDir);
  if (!lock) return;
  try {
    removeLeftovers(dataDir);
    const made = listBackups(dataDir).map(({ madeAt }) => madeAt);
    if (isAsked || isBackupDue(now, made, timeZone)) {
      await attempt(dataDir, "backup", () => makeBackup(night, now));
      removeExpired(dataDir, timeZone);
    }
    await copyNewest(dataDir, timeZone);
    if (isTrialDue(now, readBackupState(dataDir).trial)) await tryRestore(night);
  } finally {
    lock.release();
  }
}

async function makeBackup({ dataDir, bytes }: Night, now: Date): Promise<void> {
  requireRoom(dataDir, bytes, "a backup");
  const { missing, facts } = await backUp(
    embeddedConfig,
    dataDir,
    join(backupFolder(dataDir), nameOf(now)),
  );
  markBackup(dataDir, backupFactsSchema.parse(facts));
  if (missing.length > 0) {
    throw new Error(`Images of the site are missing on its disk: ${missing.length}`);
  }
}

function removeExpired(dataDir: string, timeZone: string): void {
  const backups = listBackups(dataDir);
  const expired = listExpired(
    backups.map(({ madeAt }) => madeAt),
    timeZone,
  );
  for (const { name, madeAt } of backups) {
    if (expired.includes(madeAt)) rmSync(join(backupFolder(dataDir), name), { force: true });
  }
}

/** Copies the newest backup to the bucket, if there is one. A restored copy of a site must not replace those of the live one. */
async function copyNewest(dataDir: string, timeZone: string): Promise<void> {
  const [newest] = listBackups(dataDir);
  if (!newest || !readBucket(dataDir) || isOutgoingMailHeld(dataDir)) return;
  const { copy } = readBackupState(dataDir);
  if (copy && !copy.problem && copy.at > newest.madeAt) return;
  const file = join(backupFolder(dataDir), newest.name);
  await attempt(dataDir, "copy", () => copyToBucket(dataDir, file, timeZone));
}

/** Restores the newest backup into a folder of its own, with its own PostgreSQL, which compares every count. */
async function tryRestore({ dataDir, bytes }: Night): Promise<void> {
  const [newest] = listBackups(dataDir);
  if (!newest) return;
  const scratch = trialFolder(dataDir);
  await attempt(dataDir, "trial", async () => {
    requireRoom(dataDir, 2 * bytes + reserve, "a trial restore");
    // Under root, PostgreSQL runs as another user, which must be able to enter.
    mkdirSync(scratch, { mode: 0o711 });
    await restore({
      config: embeddedConfig,
      file: join(backupFolder(dataDir), newest.name),
      dataDir: join(scratch, "site"),
      replace: false,
      onStep: () => {},
    });
  });
  rmSync(scratch, { recursive: true, force: true });
}

/** @throws with a sentence for the owner */
function requireRoom(dataDir: string, bytes: number, what: string): void {
  const { bavail, bsize } = statfsSync(dataDir);
  const [free, needed] = [bavail * bsize, bytes + reserve].map((size) =>
    Math.ceil(size / megabyte),
  );
  if (bavail * bsize < bytes + reserve) {
    throw new Error(`The disk has ${free} MB free, and ${what} needs ${needed} MB`);
  }
}

/** Stores the outcome; that of a killed process is that it was interrupted. */
async function attempt(dataDir: string, what: Attempt, work: () => Promise<void>): Promise<void> {
  startAttempt(dataDir, what);
  const problem = await work().then(() => null, describe);
  endAttempt(dataDir, what, { at: new Date(), problem });
}

function describe(error: unknown): string {
  console.error(error);
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.replace(/\.$/, "");
}
