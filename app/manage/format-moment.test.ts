import { expect, test } from "vitest";
import { formatMoment, formatSchedule } from "./format-moment.ts";

test("times are those of the site's time zone, in one format", () => {
  const iso = "2027-03-14T11:30:00Z";
  expect(formatMoment(iso, "America/Los_Angeles")).toBe("Mar 14, 2027, 4:30 AM");
  expect(formatMoment(iso, "Asia/Tokyo")).toBe("Mar 14, 2027, 8:30 PM");
  expect(formatSchedule(iso, "America/Los_Angeles")).toBe("Mar 14, 2027, 4:30 AM (Pacific Time)");
});
