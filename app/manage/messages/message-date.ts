import { site } from "../../config/site.ts";

const { timeZone } = site;
const day = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone });
const time = new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone });
const dayOfYear = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone });
const date = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone });
const full = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone,
});

/** When a message came, as short as it is clear: the time today, the day this year, else the date. */
export function shortDate(iso: string, now = new Date()): string {
  const then = new Date(iso);
  if (day.format(then) === day.format(now)) return time.format(then);
  return yearOf(then) === yearOf(now) ? dayOfYear.format(then) : date.format(then);
}

/** Date and time in the site's zone. */
export function fullDate(iso: string): string {
  return full.format(new Date(iso));
}

function yearOf(moment: Date): string {
  return day.format(moment).slice(0, 4);
}
