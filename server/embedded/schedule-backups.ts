// Starts the work of a night in a process of its own when it is due. Does not cover: the work (nightly-backup.ts).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { JobContext } from "embedded-supabase/config.ts";
import type { Sql } from "embedded-supabase/database.ts";
import { defaultSettings } from "../../app/config/site.ts";
import {
  listBackups,
  lockBackups,
  readBackupState,
  removeLeftovers,
  trialFolder,
} from "./backup-folder.ts";
import { isBackupDue, type Night } from "./backup-plan.ts";
import { readFirstDay } from "./live-facts.ts";

const minute = 60_000;
/** After the start, which has other work. */
const startPause = 5 * minute;
/** After an attempt that failed. */
const retryPause = 60 * minute;
const timeout = 3 * 60 * minute;
/** Megabytes. A backup has one chunk of rows in memory at a time. */
const heapLimit = 384;

/** @param pause milliseconds after the start of the process. Only tests set it */
export async function backUpWhenDue(
  { sql, dataDir, signal }: Pick<JobContext, "sql" | "dataDir" | "signal">,
  pause = startPause,
): Promise<void> {
  cleanUp(dataDir);
  if (process.uptime() * 1000 < pause) return;
  const timeZone = await readTimeZone(sql);
  if (!(await isDue(sql, dataDir, timeZone))) return;
  await alone(dataDir, () => runInProcess(sql, { dataDir, timeZone, isAsked: false }, signal));
}

/** Makes a backup that an owner asked for; nothing while one is made. It ends with the site. */
export async function backUpNow(sql: Sql, dataDir: string): Promise<void> {
  await alone(dataDir, async () =>
    runInProcess(sql, { dataDir, timeZone: await readTimeZone(sql), isAsked: true }),
  );
}

const running = new Set<string>();

async function alone(dataDir: string, work: () => Promise<void>): Promise<void> {
  if (running.has(dataDir)) return;
  running.add(dataDir);
  await work().finally(() => running.delete(dataDir));
}

export function isBackingUp(dataDir: string): boolean {
  return running.has(dataDir);
}

/** What an interrupted trial left takes as much room as the site. */
function cleanUp(dataDir: string): void {
  if (!existsSync(trialFolder(dataDir))) return;
  const lock = lockBackups(dataDir);
  if (lock) removeLeftovers(dataDir);
  lock?.release();
}

async function isDue(sql: Sql, dataDir: string, timeZone: string): Promise<boolean> {
  const now = new Date();
  const { backup } = readBackupState(dataDir);
  if (backup?.problem && Math.abs(now.getTime() - backup.at.getTime()) < retryPause) return false;
  const made = listBackups(dataDir).map(({ madeAt }) => madeAt);
  // A new site has its first backup after its first night.
  const firstDay = await readFirstDay(sql);
  return firstDay !== null && isBackupDue(now, [firstDay, ...made], timeZone);
}

async function readTimeZone(sql: Sql): Promise<string> {
  const [contact] = await sql<{ zone: string | null }[]>`
    select document ->> 'timeZone' as zone from public.public_site_settings where section = 'contact'`;
  return contact?.zone || defaultSettings.contact.timeZone;
}

async function measure(sql: Sql): Promise<number> {
  const [size] = await sql<{ bytes: number }[]>`
    select (
      pg_database_size(current_database())
        + coalesce((select sum((metadata ->> 'size')::bigint) from storage.objects), 0)
    )::float8 as bytes`;
  return size?.bytes ?? 0;
}

/** @throws when the process failed, or was ended by the signal */
async function runInProcess(
  sql: Sql,
  work: Omit<Night, "bytes">,
  signal?: AbortSignal,
): Promise<void> {
  const night: Night = { ...work, bytes: await measure(sql) };
  const main = join(import.meta.dirname, "nightly-backup-main.ts");
  const { PATH, HOME, LANG, MALLOC_ARENA_MAX } = process.env;
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapLimit}`, main, JSON.stringify(night)],
    // Without the secrets of the site's environment.
    {
      env: { PATH, HOME, LANG, MALLOC_ARENA_MAX },
      stdio: ["pipe", "ignore", "pipe"],
      timeout,
      signal,
    },
  );
  child.stdin.on("error", () => {});
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  const [code, problems] = await Promise.all([ended, text(child.stderr)]);
  if (code !== 0)
    throw Object.assign(new Error(), { name: problems.slice(-2000) || `code ${code}` });
  if (problems) console.error(problems);
}
