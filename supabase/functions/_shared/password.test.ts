import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { minCharacters, passwordProblem } from "./password.ts";

test.each([
  ["ten random letters", "sNqfkwLxWt"],
  ["72 bytes", "sNqfkwLxWt".repeat(8).slice(0, 72)],
  ["words with spaces", "correct horse battery"],
  ["another script", "пароль-длинный"],
])("%s is valid", (_what, password) => {
  expect(passwordProblem(password)).toBeNull();
});

const short = "Please use at least 10 characters.";
const blank = "Please use at least 10 characters, not counting spaces.";
const long = "Please use at most 72 characters. Accented letters count as two or more.";
const guessable =
  "This password is easy to guess. Use three or four words that do not belong together, or one that your browser suggests.";

test.each([
  ["nothing", "", short],
  ["nine letters", "sNqfkwLxW", short],
  ["five emoji, which are ten UTF-16 units", "😀😃😄😁😆", short],
  ["ten spaces", " ".repeat(10), blank],
  ["tabs and line breaks", "\t\n".repeat(10), blank],
  ["zero-width characters", "\u200b".repeat(11), blank],
  ["no-break and braille blanks", "\u00a0\u2800".repeat(11), blank],
  ["spaces around one letter", "       a       ", blank],
  ["73 bytes", "x".repeat(73), long],
  ["37 letters of two bytes each", "é".repeat(37), long],
  ["one letter, repeated", "x".repeat(72), guessable],
  ["neighbors on the keyboard", "qwertyuiop", guessable],
  ["a common password with a year", "iloveyou2026", guessable],
  ["a common password in other letters", "P@ssw0rd123!", guessable],
])("%s is rejected", (_what, password, problem) => {
  expect(passwordProblem(password)).toBe(problem);
});

test("what others know of the account is easy to guess", () => {
  expect(passwordProblem("adelheidkrug")).toBeNull();
  expect(passwordProblem("adelheidkrug", ["adelheidkrug@firm.example"])).toBe(guessable);
});

test("a hosted project asks for the same length", () => {
  const config = readFileSync(join(import.meta.dirname, "../../config.toml"), "utf8");
  expect(config).toContain(`\nminimum_password_length = ${minCharacters}\n`);
});
