import { useSite } from "../config/use-site.ts";

/** By time zone: making one takes longer than rendering a card. */
const formats: Record<string, Intl.DateTimeFormat> = {};

/** The date in the long US format, such as "March 1, 2026". */
export function LongDate({ time }: { time: string }) {
  const { timeZone } = useSite().contact;
  return (
    <time dateTime={time} data-zone={timeZone}>
      {readWritten(time, timeZone) ?? format(time, timeZone)}
    </time>
  );
}

/** The text of the same date in this document. The first use of Intl, which takes a cheap phone 150 ms, would delay hydration. */
function readWritten(time: string, timeZone: string): string | null | undefined {
  if (typeof document === "undefined") return null;
  // Both come from the database, which accepts no quotes in them.
  return document.querySelector(`[datetime="${time}"][data-zone="${timeZone}"]`)?.textContent;
}

function format(time: string, timeZone: string): string {
  formats[timeZone] ??= new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone });
  return formats[timeZone].format(new Date(time));
}
