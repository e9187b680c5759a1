import { expect, test } from "vitest";
import { emailSchema } from "./invitation.ts";
import { isOneLine, removeUnseen, toOneLine, trimAddress, trimUnseen } from "./one-line.ts";

test("tabs, line breaks and control characters are no part of a line, and become blanks", () => {
  for (const character of "\0\n\r\t\v\u001f\u007f\u0085\u2028\u2029") {
    expect(isOneLine(`a${character}b`)).toBe(false);
    expect(toOneLine(`a${character}${character}b`)).toBe("a b");
  }
  expect(isOneLine("Jörg\u00a0O'Neill 😀")).toBe(true);
});

const marks = [
  ...["\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067"],
  ...["\u2068", "\u2069", "\u00a0", "\u202f", "\u2009", "\u3000", "\u200b", "\u200c", "\u200d"],
  ...["\u2060", "\ufeff", "\u00ad", "\u061c", " ", "\t", "\n"],
];

test("marks, spaces and characters without width around a text are removed, and no others", () => {
  for (const mark of marks) {
    expect(trimUnseen(`${mark}${mark}ada@example.com${mark}`)).toBe("ada@example.com");
    expect(removeUnseen(`${mark}1${mark}2`)).toBe("12");
  }
  expect(trimUnseen(marks.join(""))).toBe("");
  expect(trimUnseen("Ada\u200bLove ❤️")).toBe("Ada\u200bLove ❤️");
});

test("an address is valid with what was copied around it and in it", () => {
  expect(trimAddress("\ufeffada@exam\u00adple\u200d.com ")).toBe("ada@example.com");
  expect(emailSchema.parse("\u202aAda@example.com\u202c\u00a0")).toBe("ada@example.com");
  expect(emailSchema.safeParse("ada@exa mple.com").success).toBe(false);
});
