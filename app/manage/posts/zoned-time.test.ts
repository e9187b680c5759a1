import { expect, test } from "vitest";
import { dateAndTimeOf, findTime, startOfDay, tomorrowMorning } from "./zoned-time.ts";

const losAngeles = "America/Los_Angeles";

test.each([
  ["2027-03-01", "09:00", losAngeles, "2027-03-01T17:00:00Z", "UTC−08:00"],
  ["2027-07-01", "09:00", losAngeles, "2027-07-01T16:00:00Z", "UTC−07:00"],
  ["2027-07-01", "09:00", "Asia/Kathmandu", "2027-07-01T03:15:00Z", "UTC+05:45"],
  ["2027-12-31", "23:30", "America/New_York", "2028-01-01T04:30:00Z", "UTC−05:00"],
])("%s %s in %s is %s", (date, time, zone, iso, offset) => {
  expect(findTime(date, time, zone)).toEqual({ kind: "once", instant: { iso, offset } });
  expect(dateAndTimeOf(iso, zone)).toEqual({ date, time });
});

test("an hour that daylight saving skips does not exist", () => {
  expect(findTime("2027-03-14", "02:30", losAngeles)).toEqual({ kind: "skipped", next: "03:30" });
  expect(findTime("2027-03-14", "01:59", losAngeles)).toMatchObject({ kind: "once" });
  expect(findTime("2027-03-14", "03:00", losAngeles)).toMatchObject({ kind: "once" });
});

test("an hour that daylight saving repeats has two instants, each with its offset", () => {
  expect(findTime("2027-11-07", "01:30", "America/New_York")).toEqual({
    kind: "twice",
    instants: [
      { iso: "2027-11-07T05:30:00Z", offset: "UTC−04:00" },
      { iso: "2027-11-07T06:30:00Z", offset: "UTC−05:00" },
    ],
  });
});

test.each([
  ["", "09:00"],
  ["2027-03-01", ""],
  ["2027-02-30", "09:00"],
  ["2027-03-01", "25:00"],
])("%j %j is not a time", (date, time) => {
  expect(findTime(date, time, losAngeles)).toEqual({ kind: "invalid" });
});

test("tomorrow is the next day of the site's zone", () => {
  const now = new Date("2027-03-01T05:00:00Z");
  expect(tomorrowMorning(now, losAngeles)).toEqual({ date: "2027-03-01", time: "09:00" });
  expect(tomorrowMorning(now, "Asia/Kathmandu")).toEqual({ date: "2027-03-02", time: "09:00" });
});

test("a day begins at its first moment, also where the clocks skip midnight", () => {
  expect(startOfDay("2027-03-01", "America/Los_Angeles")).toBe("2027-03-01T08:00:00Z");
  expect(startOfDay("2018-11-03", "America/Sao_Paulo", 1)).toBe("2018-11-04T03:00:00Z");
  expect(startOfDay("", "UTC")).toBeNull();
});
