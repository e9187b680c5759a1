import { expect, test } from "vitest";
import { isOneLine, toOneLine } from "./one-line.ts";

test("tabs, line breaks and control characters are no part of a line, and become blanks", () => {
  for (const character of "\0\n\r\t\v\u001f\u007f\u0085\u2028\u2029") {
    expect(isOneLine(`a${character}b`)).toBe(false);
    expect(toOneLine(`a${character}${character}b`)).toBe("a b");
  }
  expect(isOneLine("Jörg\u00a0O'Neill 😀")).toBe(true);
});
