import { expect, test } from "vitest";
import { remainingErrors } from "./remaining-errors.ts";

test("a corrected field loses its error, the others keep theirs as they are worded now", () => {
  const shown = { name: "Required", email: "Please enter a valid email address." };
  expect(remainingErrors(shown, { name: "Name must be at most 200 characters." })).toEqual({
    name: "Name must be at most 200 characters.",
  });
  expect(remainingErrors(shown, {})).toEqual({});
});

test("a field that had no error gets none", () => {
  expect(remainingErrors({ name: "Required" }, { name: "Required", message: "Required" })).toEqual({
    name: "Required",
  });
});
