import { expect, test } from "vitest";
import { excerptOf } from "./excerpt.ts";

const post = { content: [], tagline: "A tagline", title: "A title" };

test("the first paragraph describes a post, on one line", () => {
  const content = [
    { type: "heading", text: "A heading" },
    { type: "paragraph", text: " It begins\nhere. " },
    { type: "paragraph", text: "And goes on." },
  ];
  expect(excerptOf({ ...post, content })).toBe("It begins here.");
});

test("a long paragraph is cut between words", () => {
  const content = [{ type: "paragraph", text: "words and ".repeat(60) }];
  const excerpt = excerptOf({ ...post, content });
  expect(excerpt).toMatch(/ (words|and)…$/);
  expect(excerpt.length).toBeLessThanOrEqual(161);
  expect(excerpt.length).toBeGreaterThan(140);
});

test("one endless word is not cut away to nothing", () => {
  const content = [{ type: "paragraph", text: "a".repeat(400) }];
  expect(excerptOf({ ...post, content })).toBe(`${"a".repeat(160)}…`);
});

test("a post without a paragraph has its tagline, then its title", () => {
  expect(excerptOf(post)).toBe("A tagline");
  expect(excerptOf({ ...post, tagline: "" })).toBe("A title");
});
