import { expect, test } from "vitest";
import { remainingErrors } from "./form-errors.tsx";

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
