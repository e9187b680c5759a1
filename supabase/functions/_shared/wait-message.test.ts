import { expect, test } from "vitest";
import { waitMessage } from "./wait-message.ts";

test.each([
  [1, "a minute"],
  [61, "2 minutes"],
  [7141, "2 hours"],
])("a wait of %i seconds reads %s", (seconds, words) => {
  expect(waitMessage("Too many came", seconds)).toBe(
    `Too many came just now. Please try again in ${words}.`,
  );
});
