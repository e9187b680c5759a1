// Collects what the checks before going live need from the embedded backend: content, accounts, last backup, archive, disk space.
// Covers: a generated or weak password that was never changed. Does not cover: a hosted project, whose keys the site lacks.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { isOutgoingMailHeld } from "embedded-supabase/data-dir.ts";
import type { Sql, Transaction } from "embedded-supabase/database.ts";
import { z } from "zod";
import { defaultOwnerEmail } from "../../app/config/server-settings.ts";
import { foldAddress } from "../../supabase/functions/_shared/invitation.ts";
import { readBackupState } from "./backup-folder.ts";
import { readEnteredMail } from "./entered-mail.ts";

interface BackupMark {
  time: Date | null;
  /** NUMBER:HASH of the last row of the archive that the backup has; null without one. */
  archiveHead: string | null;
}

/** What embedded.config.ts stores with a backup. */
export const backupFactsSchema = z.object({
  archiveHead: z.string().nullable(),
  isArchiveChanged: z.boolean(),
});

/** The maximum number of rows per table. Samples come first, then the newest rows. */
const maxRows = 200;
const passwordMark = "generated-password";
const backupMark = "last-backup";
const DAY_MS = 24 * 60 * 60_000;
const WEEK_MS = 7 * DAY_MS;

export async function readLiveFacts(sql: Sql, dataDir: string) {
  const owners = await sql<{ email: string; encrypted_password: string | null }[]>`
    select users.email, users.encrypted_password
    from private.people join auth.users on users.id = people.user_id
    where people.role = 'owner'`;
  const mark = read(join(dataDir, passwordMark));
  const { bavail, bsize } = await statfs(dataDir);
  const { backup, trial, copy } = readBackupState(dataDir);
  const settings = await sql`select section, document from public.public_site_settings`;
  const [mail] = await sql`select document from public.site_settings where section = 'mail'`;
  const posts = await sql`
    select title, author, tagline, content, image_url, is_sample from public.posts
    where private.is_shown(posts)
    order by is_sample desc, created_at desc limit ${maxRows}`;
  const testimonials = await sql`
    select name, role, content, is_sample from public.testimonials
    where approved_at is not null order by is_sample desc, created_at desc limit ${maxRows}`;
  return {
    /** What visitors see. */
    content: { settings, posts, testimonials },
    owner: {
      hasDefaultEmail: owners.some(({ email }) => foldAddress(email) === defaultOwnerEmail),
      hasInitialPassword: owners.some(
        ({ encrypted_password: hash }) => hash !== null && digest(hash) === mark,
      ),
    },
    machine: {
      lastBackup: readBackupMark(dataDir).time,
      firstDay: await readFirstDay(sql),
      backupProblem: backup?.problem ?? null,
      ...{ trial, copy },
      freeBytes: bavail * bsize,
    },
    mailSettings: mail?.document,
    enteredMail: await readEnteredMail(sql, dataDir),
    isMailHeld: isOutgoingMailHeld(dataDir),
    isArchiveChanged: await isArchiveChanged(sql, dataDir),
  };
}

/** What owners should hear by mail, as sentences. */
export async function listWarnings(sql: Sql, dataDir: string): Promise<string[]> {
  const { time } = readBackupMark(dataDir);
  const age = Date.now() - (time ?? (await readFirstDay(sql)) ?? new Date()).getTime();
  const { trial, copy } = readBackupState(dataDir);
  // A site that has never had a backup is reminded on one day of each week: a daily reminder would be ignored.
  const isDue = age > WEEK_MS && (time !== null || age % WEEK_MS < DAY_MS);
  return [
    !isDue
      ? []
      : time
        ? `The last backup was made on ${time.toISOString().slice(0, 10)}, more than a week ago.`
        : "The site is older than a week and has no backup. Without one, it cannot be brought back.",
    trial?.problem ? [`The last backup could not be restored on trial. ${trial.problem}.`] : [],
    copy?.problem ? [`The last backup could not be copied to your bucket. ${copy.problem}.`] : [],
    (await isArchiveChanged(sql, dataDir))
      ? ["The archive is not what the last backup has: rows were changed."]
      : [],
  ].flat();
}

/** The day of the first account. @returns null without one */
export async function readFirstDay(sql: Sql): Promise<Date | null> {
  const [first] = await sql<
    { time: Date | null }[]
  >`select min(created_at) as time from auth.users`;
  return first?.time ?? null;
}

/** Stores the hash of a password that is to be changed. A changed password has another hash, so the mark need not be removed. */
export async function markInitialPassword(sql: Sql, dataDir: string, email: string): Promise<void> {
  const [user] = await sql<{ encrypted_password: string | null }[]>`
    select encrypted_password from auth.users where private.folded(email) = private.folded(${email})`;
  if (!user?.encrypted_password) return;
  writeFileSync(join(dataDir, passwordMark), digest(user.encrypted_password), { mode: 0o600 });
}

/** Stores the time of a backup. While the archive is changed, the mark keeps what the archive must have. */
export function markBackup(
  dataDir: string,
  { isArchiveChanged, archiveHead }: Omit<BackupMark, "time"> & { isArchiveChanged: boolean },
): void {
  const head = isArchiveChanged ? readBackupMark(dataDir).archiveHead : archiveHead;
  const mark = [new Date().toISOString(), head].join("\n");
  writeFileSync(join(dataDir, backupMark), mark, { mode: 0o600 });
}

function readBackupMark(dataDir: string): BackupMark {
  const [time, archiveHead] = read(join(dataDir, backupMark))?.split("\n") ?? [];
  const date = new Date(time ?? Number.NaN);
  return { time: Number.isNaN(date.getTime()) ? null : date, archiveHead: archiveHead || null };
}

/** Whether the archive lacks, or has another hash for, the row that was its last one at the last backup. */
export async function isArchiveChanged(sql: Sql | Transaction, dataDir: string): Promise<boolean> {
  const { archiveHead } = readBackupMark(dataDir);
  return archiveHead !== null && !(await hasArchiveRow(sql, archiveHead));
}

/** @param head NUMBER:HASH */
export async function hasArchiveRow(sql: Sql | Transaction, head: string): Promise<boolean> {
  const [number = "", hash = ""] = head.split(":");
  const found = await sql`
    select from private.archive_pages where number::text = ${number} and hash = ${hash}`;
  return found.length > 0;
}

/** @returns NUMBER:HASH of the last row of the archive; null when it is empty */
export async function readArchiveHead(sql: Sql | Transaction): Promise<string | null> {
  const [last] = await sql<{ head: string }[]>`
    select number || ':' || hash as head from private.archive_pages order by number desc limit 1`;
  return last?.head ?? null;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function read(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
