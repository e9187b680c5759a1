// Converts a date and time in the site's time zone to an instant.
import { Temporal } from "temporal-polyfill";

export interface Instant {
  /** The instant in ISO 8601 and UTC. */
  iso: string;
  /** The difference to UTC, such as "UTC−07:00". */
  offset: string;
}

export type ZonedTime =
  | { kind: "once"; instant: Instant }
  /** The time occurs twice, because the clocks are set back. */
  | { kind: "twice"; instants: [first: Instant, second: Instant] }
  /** The time does not exist, because the clocks are set forward. `next` is the corresponding later time, such as "03:30". */
  | { kind: "skipped"; next: string }
  | { kind: "invalid" };

/** @param date "2027-03-01", and `time` "09:00" */
export function findTime(date: string, time: string, timeZone: string): ZonedTime {
  let wanted: Temporal.PlainDateTime;
  try {
    wanted = Temporal.PlainDateTime.from(`${date}T${time}`);
  } catch {
    return { kind: "invalid" };
  }
  const first = wanted.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  const second = wanted.toZonedDateTime(timeZone, { disambiguation: "later" });
  if (first.equals(second)) return { kind: "once", instant: instantOf(first) };
  if (first.toPlainDateTime().equals(wanted)) {
    return { kind: "twice", instants: [instantOf(first), instantOf(second)] };
  }
  return { kind: "skipped", next: hoursAndMinutes(second) };
}

export interface DateAndTime {
  date: string;
  time: string;
}

export function dateAndTimeOf(iso: string, timeZone: string): DateAndTime {
  const zoned = Temporal.Instant.from(iso).toZonedDateTimeISO(timeZone);
  return { date: zoned.toPlainDate().toString(), time: hoursAndMinutes(zoned) };
}

/**
 * The first moment of a day, in ISO 8601 and UTC; null for a day that does not exist.
 * @param later this many days after `date`
 */
export function startOfDay(date: string, timeZone: string, later = 0): string | null {
  try {
    const day = Temporal.PlainDate.from(date).add({ days: later });
    return day.toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    return null;
  }
}

export function tomorrowMorning(now: Date, timeZone: string): DateAndTime {
  const { date } = dateAndTimeOf(now.toISOString(), timeZone);
  return { date: Temporal.PlainDate.from(date).add({ days: 1 }).toString(), time: "09:00" };
}

function instantOf(zoned: Temporal.ZonedDateTime): Instant {
  return {
    iso: zoned.toInstant().toString(),
    offset: `UTC${zoned.offset.replace("-", "−")}`,
  };
}

function hoursAndMinutes(zoned: Temporal.ZonedDateTime): string {
  return zoned.toPlainTime().toString({ smallestUnit: "minute" });
}
