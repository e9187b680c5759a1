import { expect, test } from "vitest";
import { isBackupDue, isTrialDue, listExpired } from "./backup-plan.ts";

const zone = "America/Los_Angeles";

test.each([
  ["2026-11-28T10:59:00Z", "before three in the morning", false],
  ["2026-11-28T11:00:00Z", "at three in the morning", true],
  ["2026-11-28T20:00:00Z", "after a night in which the site was down", true],
  ["2026-11-26T20:00:00Z", "with a clock that was set back", true],
])("at %s, %s, a backup is due: %s", (now, _, isDue) => {
  const made = [new Date("2026-11-27T11:00:05Z")];
  expect(isBackupDue(new Date(now), made, zone)).toBe(isDue);
  expect(isBackupDue(new Date(now), [...made, new Date(now)], zone)).toBe(false);
});

test("the newest one of seven days and of four weeks before them are kept", () => {
  // One each night of sixty, and one more on the last day.
  const nights = Array.from(
    { length: 60 },
    (_, night) => new Date(Date.UTC(2026, 9, 1 + night, 11, 5)),
  );
  const times = [...nights, new Date("2026-11-29T18:00:00Z")];
  const expired = listExpired(times, zone).map(String);
  const kept = times.filter((time) => !expired.includes(String(time)));
  expect(kept.map((time) => time.toISOString().slice(0, 13))).toEqual([
    // Sundays.
    ...["2026-11-01T11", "2026-11-08T11", "2026-11-15T11", "2026-11-22T11"],
    ...["2026-11-23T11", "2026-11-24T11", "2026-11-25T11", "2026-11-26T11", "2026-11-27T11"],
    ...["2026-11-28T11", "2026-11-29T18"],
  ]);
});

test("deleting night by night keeps the same backups", () => {
  let kept: Date[] = [];
  for (let night = 0; night < 60; night += 1) {
    kept.push(new Date(Date.UTC(2026, 9, 1 + night, 11, 5)));
    const expired = listExpired(kept, zone);
    kept = kept.filter((time) => !expired.includes(time));
  }
  expect(kept).toHaveLength(11);
  expect(kept.slice(0, 4).map((time) => time.getUTCDay())).toEqual([0, 0, 0, 0]);
});

test("a restore is tried once a week, and again on the day after it failed", () => {
  const now = new Date("2026-11-28T11:05:00Z");
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000 + 60_000);
  expect(isTrialDue(now, null)).toBe(true);
  expect(isTrialDue(now, { at: daysAgo(6), problem: null })).toBe(false);
  expect(isTrialDue(now, { at: daysAgo(7), problem: null })).toBe(true);
  expect(isTrialDue(now, { at: daysAgo(1), problem: "damaged" })).toBe(true);
  expect(isTrialDue(now, { at: now, problem: "damaged" })).toBe(false);
});
