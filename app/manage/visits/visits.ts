import { z } from "zod";
import { readPublicSettings } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";

const summarySchema = z.object({
  /** When the current site key was created, with which a site adds counts to a hosted project. */
  key_created_at: z.nullable(z.string()),
  /** The first day with counts; null before. */
  began: z.nullable(z.string()),
  /** Of the period and of the one before, oldest first, without gaps, up to today. */
  days: z.array(
    z.object({
      day: z.string(),
      visits: z.number(),
      pages: z.number(),
      messages: z.number(),
      testimonials: z.number(),
    }),
  ),
  /** Per kind, most frequent first. */
  top: z.array(
    z.object({
      kind: z.enum(["post", "page", "referrer", "calculator", "action"]),
      key: z.string(),
      /** Of a post that is published. */
      title: z.nullable(z.string()),
      count: z.number(),
      before: z.number(),
    }),
  ),
});

type Summary = z.infer<typeof summarySchema>;
export type VisitDay = Summary["days"][number];
export type TopKey = Summary["top"][number];
type Sums = Omit<VisitDay, "day">;

export type Visits = ReturnType<typeof toVisits> & {
  /** Whether the data is in a hosted project, where the site needs a key to add its counts. */
  isHosted: boolean;
};

/** The periods that the page offers, in days, and how a sentence names them. */
export const periods: Record<number, string> = {
  7: "7 days",
  30: "30 days",
  90: "90 days",
};

export async function readVisits(client: Client, period: number): Promise<Visits> {
  const { supabaseUrl, timeZone } = readPublicSettings();
  const { data } = await client
    .rpc("visit_summary", { day_count: period, time_zone: timeZone })
    .throwOnError();
  return { ...toVisits(summarySchema.parse(data), period), isHosted: supabaseUrl !== null };
}

/** @param period in days */
export function toVisits(summary: Summary, period: number) {
  const { began, days } = summary;
  const counted = days.slice(-period).filter(({ day }) => began === null || day >= began);
  const first = new Date(began ?? days.at(-1)?.day ?? 0);
  first.setUTCDate(first.getUTCDate() + 2 * period - 1);
  const isComparable = began !== null && began <= (days[0]?.day ?? "");
  return {
    ...summary,
    period,
    /** Of the period, without those before counting began. */
    days: counted,
    sums: sumOf(counted),
    /** The sums of the period before; null when counting began later than that. */
    before: isComparable ? sumOf(days.slice(0, -period)) : null,
    /** The day from which on there is a period before. */
    comparableFrom: first.toISOString().slice(0, 10),
  };
}

function sumOf(days: VisitDay[]): Sums {
  const sum = (field: keyof Sums) => days.reduce((total, day) => total + day[field], 0);
  return {
    ...{ visits: sum("visits"), pages: sum("pages") },
    ...{ messages: sum("messages"), testimonials: sum("testimonials") },
  };
}

/** `41 visits` and ` in the last 30 days, 12 more than in the 30 days before.` */
export function describeVisits(
  visits: ReturnType<typeof toVisits>,
): [number: string, rest: string] {
  const { began, days, before, period, sums } = visits;
  const count = sums.visits;
  const number = `${count === 0 ? "No" : count.toLocaleString("en-US")} visit${count === 1 ? "" : "s"}`;
  if (isPartial(visits))
    return [number, ` since counting began on ${formatDay(began ?? days[0]?.day ?? "", "long")}.`];
  const name = periods[period] ?? `${period} days`;
  const comparison = before
    ? `, ${describeChange(count, before.visits)} ${count === before.visits ? "as" : "than"} in the ${name} before`
    : "";
  return [number, ` in the last ${name}${comparison}.`];
}

/** Whether counting began in the period. */
export function isPartial({ began, days, before }: ReturnType<typeof toVisits>): boolean {
  return began !== null && began === days[0]?.day && before === null;
}

/** `12 more`, `3 fewer` or `as many`, unbroken: percentages would exaggerate small numbers. */
export function describeChange(count: number, before: number): string {
  if (count === before) return "as\u00a0many";
  const difference = Math.abs(count - before).toLocaleString("en-US");
  return `${difference}\u00a0${count > before ? "more" : "fewer"}`;
}

const dayFormats = {
  /** `Nov 22` */
  short: { month: "short", day: "numeric" },
  /** `Sun, Nov 22, 2026` */
  medium: { weekday: "short", month: "short", day: "numeric", year: "numeric" },
  /** `November 22, 2026` */
  long: { dateStyle: "long" },
} as const;

/** Formats `2026-11-22`. It is a calendar day, so no time zone may move it. */
export function formatDay(day: string, format: keyof typeof dayFormats): string {
  return new Date(day).toLocaleDateString("en-US", { ...dayFormats[format], timeZone: "UTC" });
}
