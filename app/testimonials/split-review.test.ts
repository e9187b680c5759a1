import { expect, test } from "vitest";
import { splitReview } from "./split-review.ts";

test("a short review is whole", () => {
  expect(splitReview("Clear and kind.")).toEqual(["Clear and kind.", null]);
  expect(splitReview("x".repeat(480))).toEqual(["x".repeat(480), null]);
});

test("a long review is cut at the end of a sentence", () => {
  const sentence = "She counted every dollar with us twice, and we understood it. ";
  const [opening, rest] = splitReview(sentence.repeat(50));
  expect(opening).toMatch(/understood it\.$/);
  expect(opening.length).toBeGreaterThan(250);
  expect(opening.length).toBeLessThanOrEqual(480);
  expect(rest).toMatch(/^She counted/);
});

test("one without sentences is cut between words, and one without words anywhere", () => {
  expect(splitReview("word ".repeat(600))[0]).toMatch(/word$/);
  expect(splitReview("x".repeat(3000)).map((part) => part?.length)).toEqual([320, 2680]);
});

test("nothing but the blank at the cut is lost", () => {
  const text = "First sentence, and it is long enough to matter here. ".repeat(20).trim();
  expect(splitReview(text).join(" ")).toBe(text);
});
