import { expect, test } from "vitest";
import { greet, longDay } from "./greeting.ts";

const at = (time: string) => new Date(`2026-11-28T${time}Z`);

test.each([
  ["Ada Ash", "13:00", "Good morning, Ada"],
  ["Ada Ash", "20:00", "Good afternoon, Ada"],
  ["Ada Ash", "03:00", "Good evening, Ada"],
  ["Dr. Ada Ash", "13:00", "Good morning, Dr. Ada Ash"],
  [null, "13:00", "Good morning"],
  ["owner@example.com", "13:00", "Good morning"],
])("%s is greeted at %s UTC in New York", (name, time, greeting) => {
  expect(greet(name, "America/New_York", at(time))).toBe(greeting);
});

test("the day is that of the site", () => {
  expect(longDay("America/Los_Angeles", at("03:00"))).toBe("Friday, November 27");
});
