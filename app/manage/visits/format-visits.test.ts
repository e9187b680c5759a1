import { expect, test } from "vitest";
import { describeDay, formatDay, nameOf, sumDays } from "./format-visits.ts";
import { periodOf, toVisits } from "./visits.ts";

test("a day is the same in every time zone", () => {
  expect(formatDay("2026-03-08")).toBe("Mar 8");
  expect(formatDay("2026-01-01")).toBe("Jan 1");
});

test("a day is read out with singular and plural", () => {
  const day = { day: "2026-11-22", loads: 1234, messages: 1, testimonials: 0 };
  expect(describeDay(day)).toBe("Sun, Nov 22, 2026: 1,234 page loads, 1 message, 0 reviews");
  expect(describeDay({ ...day, loads: 1 })).toContain("1 page load,");
});

test("days are summed", () => {
  const day = { day: "2026-11-22", loads: 2, messages: 1, testimonials: 3 };
  expect(sumDays([day, day])).toEqual({ loads: 4, messages: 2, testimonials: 6 });
  expect(sumDays([])).toEqual({ loads: 0, messages: 0, testimonials: 0 });
});

test.each([
  ["page", "/", "Home page"],
  ["page", "/blog/a-post", "/blog/a-post"],
  ["page", "other", "Other pages"],
  ["referrer", "google.com", "google.com"],
  ["referrer", "other", "Other sites"],
  ["calculator", "coverage", "Life Insurance Calculator"],
] as const)("the %s %s is called %s", (kind, key, name) => {
  expect(nameOf({ kind, key })).toBe(name);
});

test.each([
  ["", 30],
  ["?days=90", 90],
  ["?days=365", 365],
  ["?days=31", 30],
  ["?days=x", 30],
])("the query %j requests %d days", (search, period) => {
  expect(periodOf(search)).toBe(period);
});

test("only a hosted project without a key needs one", () => {
  const summary = { days: [], top: [], key_created_at: null };
  expect(toVisits(summary, true).needsKey).toBe(true);
  expect(toVisits(summary, false).needsKey).toBe(false);
  expect(toVisits({ ...summary, key_created_at: "2026-11-22T00:00:00Z" }, true).needsKey).toBe(
    false,
  );
});
