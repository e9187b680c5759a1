/** Formats a date and time, such as "Nov 22, 2026, 7:10 AM". */
export function formatMoment(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleString("en-US", {
    timeZone,
    dateStyle: "medium",
    timeStyle: "short",
  });
}

/** Formats the time when a post will be published, such as "March 1, 2027, 9:00 AM (Pacific Time)". */
export function formatSchedule(iso: string, timeZone: string): string {
  const time = new Date(iso);
  const date = time.toLocaleDateString("en-US", { timeZone, dateStyle: "long" });
  const clock = time.toLocaleTimeString("en-US", { timeZone, timeStyle: "short" });
  return `${date}, ${clock.replace(/\s/g, " ")} (${timeZoneName(timeZone)})`;
}

/** The name of a time zone without the season, such as "Pacific Time". */
export function timeZoneName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    timeZoneName: "longGeneric",
  }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** The time of day on this device, such as "14:02". */
export function formatClock(iso: string): string {
  return new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
