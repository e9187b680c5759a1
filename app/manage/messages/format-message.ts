/** Opens an email to the visitor. The visitor's address cannot add recipients or headers. */
export function mailUrl(email: string, firmName: string): string {
  const address = encodeURIComponent(email).replaceAll("%40", "@");
  const subject = encodeURIComponent(`Re: Your message to ${firmName}`);
  return `mailto:${address}?subject=${subject}`;
}

// Matches 7 to 15 digits with the usual separators.
const phoneNumber = /\+?\(?\d(?:[\s().\-/–]*\d){6,14}/;

/**
 * A link that dials the phone number in a text. Visitors can enter any text as their phone.
 * @returns null when the text contains no number of 7 to 15 digits
 */
export function phoneUrl(phone: string): string | null {
  const found = phone.match(phoneNumber)?.[0];
  return found ? `tel:${found.startsWith("+") ? "+" : ""}${found.replace(/\D/g, "")}` : null;
}

/** A message's time for the list: the time today, the day this year, else the date. */
export function shortDate(iso: string, timeZone: string, now = new Date()): string {
  const then = new Date(iso);
  const format = (options: Intl.DateTimeFormatOptions) =>
    then.toLocaleString("en-US", { ...options, timeZone });
  const dayOf = (date: Date) => date.toLocaleDateString("en-CA", { timeZone });
  const [thenDay, today] = [dayOf(then), dayOf(now)];
  if (thenDay === today) return format({ timeStyle: "short" });
  return thenDay.slice(0, 4) === today.slice(0, 4)
    ? format({ month: "short", day: "numeric" })
    : format({ dateStyle: "medium" });
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
