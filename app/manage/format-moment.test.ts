import { expect, test } from "vitest";
import { formatMoment, formatRecent, formatSchedule, isoTime } from "./format-moment.ts";

test("times are those of the site's time zone, in one format", () => {
  const iso = "2027-03-14T11:30:00Z";
  expect(formatMoment(iso, "America/Los_Angeles")).toBe("Mar 14, 2027, 4:30 AM");
  expect(formatMoment(iso, "Asia/Tokyo")).toBe("Mar 14, 2027, 8:30 PM");
  expect(formatMoment(iso, "Asia/Tokyo", true)).toBe("Mar 14, 2027, 8:30:00 PM");
  expect(formatSchedule(iso, "America/Los_Angeles")).toBe("Mar 14, 2027, 4:30 AM (Pacific Time)");
});

test("a time of today has no date, of the day in the site's time zone", () => {
  const now = "2027-03-14T11:30:00Z";
  expect(formatRecent("2027-03-14T09:05:00Z", "America/Los_Angeles", now)).toBe("1:05 AM");
  expect(formatRecent("2027-03-14T07:30:00Z", "America/Los_Angeles", now)).toBe(
    "Mar 13, 2027, 11:30 PM",
  );
});

test.each([
  ["2026-11-21T09:06:07.47+00:00", "2026-11-21T01:06:07-08:00"],
  ["2026-07-01T07:00:00Z", "2026-07-01T00:00:00-07:00"],
])("%s is %s in the site's time zone", (iso, text) => {
  expect(isoTime(iso, "America/Los_Angeles")).toBe(text);
});
