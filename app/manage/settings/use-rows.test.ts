import { expect, test } from "vitest";
import { keysOf } from "./use-rows.ts";

test.each([
  ["nothing", "abc", "abc", [1, 2, 3]],
  ["an edited row", "abc", "axc", [1, 2, 3]],
  ["a row edited to equal its neighbor", "abc", "bbc", [1, 2, 3]],
  ["a removed row", "abc", "ac", [1, 3]],
  ["a moved row", "abc", "cab", [3, 1, 2]],
  ["a row added above the others", "abc", "xabc", [4, 1, 2, 3]],
  ["other rows", "abc", "xy", [1, 2]],
])("the controls of a list stay with their rows: %s", (_, before, after, keys) => {
  expect(keysOf([...after], { texts: [...before], keys: [1, 2, 3] })).toEqual(keys);
});
