import { dayIn } from "../../../supabase/functions/_shared/licenses.ts";
import type { Message } from "./messages.ts";

/** Some mail programs and browsers cut off or reject longer links. */
const maxLinkLength = 1900;

/** Opens an email to the visitor that quotes the message. What the visitor wrote cannot add recipients or headers. */
export function replyUrl(
  { name, email, message, created_at }: Pick<Message, "name" | "email" | "message" | "created_at">,
  firmName: string,
  timeZone: string,
): string {
  const address = encodeURIComponent(email).replaceAll("%40", "@");
  const subject = encodeURIComponent(`Re: your message to ${firmName}`);
  const date = new Date(created_at).toLocaleDateString("en-US", { dateStyle: "long", timeZone });
  const writer = [...name.replace(/\s+/g, " ")].slice(0, 60).join("");
  const body = encodeURIComponent(`\r\n\r\nOn ${date}, ${writer} wrote:`);
  const start = `mailto:${address}?subject=${subject}&body=${body}`;
  const lines = message.trim().split(/\r\n?|[\n\u2028\u2029]/);
  const quote = lines.map((line) => `\r\n> ${line}`).join("");
  // Words, the spaces between them and the beginnings of lines. A long word is in several parts.
  const parts = (quote.match(/\r\n> |\s+|\S{1,40}/gu) ?? []).map(encodeURIComponent);
  const whole = start + parts.join("");
  if (whole.length <= maxLinkLength) return whole;
  const end = encodeURIComponent("\r\n> (The rest of your message is left out here.)");
  let url = start;
  for (const part of parts) {
    if (url.length + part.length + end.length > maxLinkLength) break;
    url += part;
  }
  return url + end;
}

/** A message's time for the list: the time today, the day this year, else the date. */
export function shortDate(iso: string, timeZone: string, now = new Date()): string {
  const then = new Date(iso);
  const format = (options: Intl.DateTimeFormatOptions) =>
    then.toLocaleString("en-US", { ...options, timeZone });
  const dayOf = (date: Date) => dayIn(timeZone, date.getTime());
  const [thenDay, today] = [dayOf(then), dayOf(now)];
  if (thenDay === today) return format({ timeStyle: "short" });
  return thenDay.slice(0, 4) === today.slice(0, 4)
    ? format({ month: "short", day: "numeric" })
    : format({ dateStyle: "medium" });
}
