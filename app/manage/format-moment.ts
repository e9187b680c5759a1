/** Formats a date and time, such as "Nov 22, 2026, 7:10 AM". */
export function formatMoment(iso: string, timeZone: string): string {
  const text = new Date(iso).toLocaleString("en-US", {
    timeZone,
    dateStyle: "medium",
    timeStyle: "short",
  });
  // Before AM and PM, browsers differ in the space.
  return text.replace(/\s/g, " ");
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
