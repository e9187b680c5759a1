import { expect, test } from "vitest";
import { depthOfJson } from "./request-bounds.ts";

test.each([
  ["1", 0],
  ["{}", 1],
  ['{"a":[{"b":1}],"c":{}}', 3],
  ['"[[["', 0],
  ['["\\"[[["]', 1],
  ['{"a":"\\\\","b":[]}', 2],
  ["[".repeat(100_000), 100_000],
  ["]]]]", 0],
])("the depth of %s is %i", (text, depth) => {
  expect(depthOfJson(text)).toBe(depth);
});
