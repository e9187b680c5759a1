import fc from "fast-check";
import { expect, test } from "vitest";
import { slugify } from "./slugify.ts";

test.each([
  ["What Is Term Life?", "what-is-term-life"],
  ["Café & Crème: Plans", "caf--crme-plans"],
  ["  Two   spaces ", "-two-spaces-"],
  ["snake_case stays", "snake_case-stays"],
  ["退職計画", "post"],
  ["   ", "post"],
])("the title %j gives the slug %j", (title, slug) => {
  expect(slugify(title)).toBe(slug);
});

test("a slug is never empty and contains only characters that the database accepts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (title) => {
      expect(slugify(title)).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});
