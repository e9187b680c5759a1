import { expect, test } from "vitest";
import { readingMinutes } from "./reading-time.ts";

test("a post takes a minute for every 220 words, over all its blocks", () => {
  const words = (count: number) => "word ".repeat(count);
  expect(readingMinutes([{ type: "paragraph", text: words(660) }])).toBe(3);
  expect(
    readingMinutes([
      { type: "heading", text: words(110) },
      { type: "list", items: [words(110), words(220)] },
      { type: "quote", text: words(220) },
    ]),
  ).toBe(3);
});

test("a post of a few words, or of none, takes one", () => {
  expect(readingMinutes([{ type: "paragraph", text: "Call me." }])).toBe(1);
  expect(readingMinutes(null)).toBe(1);
});
