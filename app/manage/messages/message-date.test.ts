import { expect, test } from "vitest";
import { fullDate, shortDate } from "./message-date.ts";

// 10:30 in the evening of December 31 in the site's zone, and the next year in UTC.
const now = new Date("2027-01-01T06:30:00Z");

test.each([
  ["today", "2026-12-31T20:05:00Z", "12:05 PM"],
  ["yesterday by the site's clock", "2026-12-31T07:59:00Z", "Dec 30"],
  ["earlier in the year", "2026-03-02T18:00:00Z", "Mar 2"],
  ["in another year", "2025-12-31T20:05:00Z", "Dec 31, 2025"],
])("a message from %s is dated as short as it is clear", (_when, iso, text) => {
  expect(shortDate(iso, now)).toBe(text);
});

test("an opened message has its date and time in full", () => {
  expect(fullDate("2026-11-21T09:06:07.47+00:00")).toBe("Nov 21, 2026, 1:06 AM");
});
