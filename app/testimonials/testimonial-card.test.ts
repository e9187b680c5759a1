import { expect, test } from "vitest";
import { splitContent } from "./testimonial-card.tsx";

test("a short testimonial is not split", () => {
  expect(splitContent("Clear and kind.")).toEqual(["Clear and kind.", null]);
  expect(splitContent("x".repeat(480))).toEqual(["x".repeat(480), null]);
});

test("a long testimonial is split at the end of a sentence", () => {
  const sentence = "She counted every dollar with us twice, and we understood it. ";
  const [opening, rest] = splitContent(sentence.repeat(50));
  expect(opening).toMatch(/understood it\.$/);
  expect(opening.length).toBeGreaterThan(250);
  expect(opening.length).toBeLessThanOrEqual(480);
  expect(rest).toMatch(/^She counted/);
});

test("a text without sentences is split between words, a text without words anywhere", () => {
  expect(splitContent("word ".repeat(600))[0]).toMatch(/word$/);
  expect(splitContent("x".repeat(3000)).map((part) => part?.length)).toEqual([320, 2680]);
});

test("only the blank at the split is removed", () => {
  const text = "First sentence, and it is long enough to matter here. ".repeat(20).trim();
  expect(splitContent(text).join(" ")).toBe(text);
});
