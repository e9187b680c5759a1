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

const short = "Please use at least 8 characters.";
const blank = "Please use at least 8 characters, not counting spaces.";
const long = "Please use at most 72 characters. Accented letters count as two or more.";

test.each([
  ["nothing", "", short],
  ["seven letters", "abcdefg", short],
  ["four emoji, which are eight UTF-16 units", "😀😀😀😀", short],
  ["eight spaces", " ".repeat(8), blank],
  ["tabs and line breaks", "\t\n".repeat(8), blank],
  ["zero-width characters", "\u200b".repeat(9), blank],
  ["no-break and braille blanks", "\u00a0\u2800".repeat(9), blank],
  ["spaces around one letter", "       a       ", blank],
  ["73 bytes", "x".repeat(73), long],
  ["37 letters of two bytes each", "é".repeat(37), long],
])("%s is rejected", (_what, password, problem) => {
  expect(passwordProblem(password)).toBe(problem);
});
