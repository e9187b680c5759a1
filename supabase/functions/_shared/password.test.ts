import { expect, test } from "vitest";
import { passwordProblem } from "./password.ts";

test.each([
  ["eight letters", "abcdefgh"],
  ["72 bytes", "x".repeat(72)],
  ["words with spaces", "correct horse battery"],
  ["another script", "пароль-длинный"],
])("%s is valid", (_what, password) => {
  expect(passwordProblem(password)).toBeNull();
});

test.each([
  ["nothing", "", "Please use at least 8 characters."],
  ["seven letters", "abcdefg", "Please use at least 8 characters."],
  ["four emoji, which are eight UTF-16 units", "😀😀😀😀", "Please use at least 8 characters."],
  ["eight spaces", " ".repeat(8), "Please use at least 8 characters, not counting spaces."],
  [
    "tabs and line breaks",
    "\t\n".repeat(8),
    "Please use at least 8 characters, not counting spaces.",
  ],
  [
    "zero-width characters",
    "\u200b".repeat(9),
    "Please use at least 8 characters, not counting spaces.",
  ],
  [
    "no-break and braille blanks",
    "\u00a0\u2800".repeat(9),
    "Please use at least 8 characters, not counting spaces.",
  ],
  [
    "spaces around one letter",
    "       a       ",
    "Please use at least 8 characters, not counting spaces.",
  ],
  [
    "73 bytes",
    "x".repeat(73),
    "Please use at most 72 characters. Accented letters count as two or more.",
  ],
  [
    "37 letters of two bytes each",
    "é".repeat(37),
    "Please use at most 72 characters. Accented letters count as two or more.",
  ],
])("%s is rejected", (_what, password, problem) => {
  expect(passwordProblem(password)).toBe(problem);
});
