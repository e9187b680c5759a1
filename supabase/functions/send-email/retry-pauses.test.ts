import { expect, test } from "vitest";
import { readRetryPauses } from "./retry-pauses.ts";

test("a message is tried ten times in three days, at growing distances", () => {
  const pauses = readRetryPauses(undefined);
  expect(pauses).toEqual([60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 86_400]);
  expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
});

test("other pauses are seconds between commas", () => {
  expect(readRetryPauses("0.1, 2,0")).toEqual([0.1, 2, 0]);
});

test.each(["soon", "1,,2", "-1", "1;2"])("%j is told to be wrong", (setting) => {
  expect(() => readRetryPauses(setting)).toThrow("CONTACT_RETRY_PAUSES must be numbers of seconds");
});
