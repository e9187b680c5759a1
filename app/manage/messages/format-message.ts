import { site } from "../../config/site.ts";

/** Opens an e-mail to the visitor. The visitor's address cannot add recipients or headers. */
export function mailUrl(email: string): string {
  const address = encodeURIComponent(email).replaceAll("%40", "@");
  const subject = encodeURIComponent(`Re: Your message to ${site.brand}`);
  return `mailto:${address}?subject=${subject}`;
}

// 7 to 15 digits with the usual separators between them.
const phoneNumber = /\+?\(?\d(?:[\s().\-/–]*\d){6,14}/;

/**
 * A link that dials the phone number in a text. Visitors can enter any text as their phone.
 * @returns null when the text contains no number of 7 to 15 digits
 */
export function phoneUrl(phone: string): string | null {
  const found = phone.match(phoneNumber)?.[0];
  return found ? `tel:${found.startsWith("+") ? "+" : ""}${found.replace(/\D/g, "")}` : null;
}

const { timeZone } = site;
const isoDay = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone });
const time = new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone });
const dayOfYear = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone });
const date = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone });
const dateAndTime = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone,
});

/** A message's time for the list: the time today, the day this year, else the date. */
export function shortDate(iso: string, now = new Date()): string {
  const then = new Date(iso);
  const [thenDay, today] = [isoDay.format(then), isoDay.format(now)];
  if (thenDay === today) return time.format(then);
  return thenDay.slice(0, 4) === today.slice(0, 4) ? dayOfYear.format(then) : date.format(then);
}

/** Date and time in the site's time zone. */
export function fullDate(iso: string): string {
  return dateAndTime.format(new Date(iso));
}

const parts = new Intl.DateTimeFormat("en-CA", {
  ...{ year: "numeric", month: "2-digit", day: "2-digit" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  timeZoneName: "longOffset",
  timeZone,
});

/** ISO 8601 in the site's time zone: `2026-11-21T01:06:07-08:00`. */
export function isoTime(iso: string): string {
  const part = Object.fromEntries(
    parts.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]),
  );
  const offset = part.timeZoneName?.replace("GMT", "") || "+00:00";
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}${offset}`;
}
