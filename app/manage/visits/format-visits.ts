import { formatNumber } from "../../ui/slider-field.tsx";
import type { TopKey, VisitDay } from "./visits.ts";

const shortDay = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});
const longDay = new Intl.DateTimeFormat("en-US", {
  weekday: "short",
  month: "short",
  day: "numeric",
  year: "numeric",
  timeZone: "UTC",
});

/** `2026-11-22` as `Nov 22`. The day is a calendar day, so no time zone may move it. */
export function formatDay(day: string): string {
  return shortDay.format(new Date(day));
}

export function formatLongDay(day: string): string {
  return longDay.format(new Date(day));
}

export function countText(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** A day of the chart in words. */
export function describeDay({ day, loads, messages, testimonials }: VisitDay): string {
  return [
    `${formatLongDay(day)}: ${countText(loads, "page load", "page loads")}`,
    countText(messages, "message", "messages"),
    countText(testimonials, "review", "reviews"),
  ].join(", ");
}

export function sumDays(days: readonly VisitDay[]): Omit<VisitDay, "day"> {
  const sum = { loads: 0, messages: 0, testimonials: 0 };
  for (const { loads, messages, testimonials } of days) {
    sum.loads += loads;
    sum.messages += messages;
    sum.testimonials += testimonials;
  }
  return sum;
}

const calculators: Record<string, string> = {
  coverage: "Life Insurance Calculator",
  retirement: "Retirement Savings Calculator",
};

/** The name of a page, a site or a calculator as the owner knows it. */
export function nameOf({ kind, key }: Pick<TopKey, "kind" | "key">): string {
  if (key === "other") return kind === "page" ? "Other pages" : "Other sites";
  if (kind === "calculator") return calculators[key] ?? key;
  return kind === "page" && key === "/" ? "Home page" : key;
}
