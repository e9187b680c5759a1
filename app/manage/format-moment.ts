/** Formats a date and time, such as "Nov 22, 2026, 7:10 AM", or "7:10:05 AM" with seconds. */
export function formatMoment(iso: string, timeZone: string, hasSeconds = false): string {
  const text = new Date(iso).toLocaleString("en-US", {
    timeZone,
    dateStyle: "medium",
    timeStyle: hasSeconds ? "medium" : "short",
  });
  // Before AM and PM, browsers differ in the space.
  return text.replace(/\s/g, " ");
}

/** The time of today, such as "7:10 AM"; of other days with the date. */
export function formatRecent(
  iso: string,
  timeZone: string,
  now = new Date().toISOString(),
): string {
  const [date, time = ""] = splitMoment(iso, timeZone);
  const [today] = splitMoment(now, timeZone);
  return date === today ? time : `${date}, ${time}`;
}

function splitMoment(iso: string, timeZone: string): string[] {
  const text = formatMoment(iso, timeZone);
  const comma = text.lastIndexOf(", ");
  return [text.slice(0, comma), text.slice(comma + 2)];
}

/** Formats a date, such as "Nov 22, 2026". */
export function formatDay(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleDateString("en-US", { timeZone, dateStyle: "medium" });
}

/** When a post is to be published, such as "Mar 1, 2027, 9:00 AM (Pacific Time)". */
export function formatSchedule(iso: string, timeZone: string): string {
  return `${formatMoment(iso, timeZone)} (${timeZoneName(timeZone)})`;
}

/** The name of a time zone without the season, such as "Pacific Time". */
export function timeZoneName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    timeZoneName: "longGeneric",
  }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** ISO 8601 in the site's time zone: `2026-11-21T01:06:07-08:00`; empty for a time that cannot be read. */
export function isoTime(iso: string, timeZone: string): string {
  if (Number.isNaN(Date.parse(iso))) return "";
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
    timeZoneName: "longOffset",
    timeZone,
  }).formatToParts(new Date(iso));
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const offset = part.timeZoneName?.replace("GMT", "") || "+00:00";
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}${offset}`;
}
