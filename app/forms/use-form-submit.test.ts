import { expect, test } from "vitest";
import { minimumFillTime, remainingErrors, remainingFillTime } from "./use-form-submit.ts";

test("an early submit waits for the rest of two seconds, a later one does not wait", () => {
  expect(remainingFillTime(1000, 1000)).toBe(minimumFillTime);
  expect(remainingFillTime(1000, 2500)).toBe(500);
  expect(remainingFillTime(1000, 3000)).toBe(0);
  expect(remainingFillTime(1000, 60_000)).toBe(0);
});

test("a submit before the form was shown does not wait, and a clock that runs back adds no wait", () => {
  expect(remainingFillTime(Number.NEGATIVE_INFINITY, 1000)).toBe(0);
  expect(remainingFillTime(5000, 1000)).toBe(minimumFillTime);
});

test("a corrected field loses its error, and the others show their current one", () => {
  const shown = { name: "Required", email: "Please enter a valid email address." };
  expect(remainingErrors(shown, { name: "Name must be at most 200 characters." })).toEqual({
    name: "Name must be at most 200 characters.",
  });
  expect(remainingErrors(shown, {})).toEqual({});
});

test("a field without an error gets none while others are corrected", () => {
  expect(remainingErrors({ name: "Required" }, { name: "Required", message: "Required" })).toEqual({
    name: "Required",
  });
});
