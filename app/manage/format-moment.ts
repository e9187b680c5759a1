/** A date and time as the owner reads it, such as "Nov 22, 2026, 7:10 AM". */
export function formatMoment(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleString("en-US", {
    timeZone,
    dateStyle: "medium",
    timeStyle: "short",
  });
}
