// When a nightly backup is due, which backups are kept, and what the process of one gets. Does not cover: making them (nightly-backup.ts).
import { z } from "zod";
import { dayIn } from "../../supabase/functions/_shared/licenses.ts";

/** What the process of a nightly backup gets. */
export const nightSchema = z.object({
  dataDir: z.string(),
  timeZone: z.string(),
  /** What the database and the images take: a compressed backup takes less. */
  bytes: z.number(),
  /** Whether an owner asked for a backup, which is made even if none is due. */
  isAsked: z.boolean().default(false),
});
export type Night = z.output<typeof nightSchema>;

/** In the site's time zone, when few visitors come. */
const quietHour = 3;
const keptDays = 7;
const keptWeeks = 4;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const trialPause = 7 * DAY_MS;
/** After a trial that failed. */
const retryPause = DAY_MS;

/** Whether none was made since the last night began, also when the site was down then, or the clock was wrong. */
export function isBackupDue(now: Date, made: readonly Date[], timeZone: string): boolean {
  return !made.some((time) => nightOf(time, timeZone) === nightOf(now, timeZone));
}

export function isTrialDue(now: Date, last: { at: Date; problem: string | null } | null): boolean {
  if (!last) return true;
  const age = now.getTime() - last.at.getTime();
  // Nightly backups are a little more or less than a day apart.
  return age < 0 || age > (last.problem ? retryPause : trialPause) - 6 * HOUR_MS;
}

/** The backups to delete: neither the newest one of a recent day nor that of a recent week. */
export function listExpired(times: readonly Date[], timeZone: string): Date[] {
  const newestFirst = times.toSorted((a, b) => b.getTime() - a.getTime());
  const newestPer = (periodOf: (night: number) => number) =>
    [...Map.groupBy(newestFirst, (time) => periodOf(nightOf(time, timeZone))).values()].flatMap(
      ([newest]) => newest ?? [],
    );
  const daily = newestPer((night) => night).slice(0, keptDays);
  const weekly = newestPer(weekOf)
    .filter((time) => !daily.includes(time))
    .slice(0, keptWeeks);
  return newestFirst.filter((time) => !daily.includes(time) && !weekly.includes(time));
}

/** The number of the day to which a time belongs: days begin at the quiet hour. */
function nightOf(time: Date, timeZone: string): number {
  return Date.parse(dayIn(timeZone, time.getTime() - quietHour * HOUR_MS)) / DAY_MS;
}

/** Weeks begin on Monday. */
function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}
