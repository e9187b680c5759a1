import fc from "fast-check";
import { expect, test } from "vitest";
import { findFreeSlug, isGeneratedSlug, slugify, toSlugCharacters } from "./slug.ts";

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

test("a slug is the title's own with and without a number, and no other one", () => {
  for (const slug of ["a-title", "a-title-1", "a-title-20"]) {
    expect(isGeneratedSlug(slug, "A title")).toBe(true);
  }
  for (const slug of ["a-titles", "a-title-", "a-title-x", "title", ""]) {
    expect(isGeneratedSlug(slug, "A title")).toBe(false);
  }
});

test("what is typed as a slug has only characters that the database accepts", () => {
  expect(toSlugCharacters("My Café / 2027?")).toBe("My-Caf--2027");
});

test("a taken slug gets the first free number", async () => {
  const taken = new Set(["a-title", "a-title-1"]);
  expect(await findFreeSlug("a-title", async (slug) => taken.has(slug))).toBe("a-title-2");
});

test("a post titled New does not get the slug of a page", async () => {
  expect(await findFreeSlug("new", async () => false)).toBe("new-1");
});

test("an error of the check aborts the search", async () => {
  const failure = new Error("offline");
  await expect(findFreeSlug("a-title", () => Promise.reject(failure))).rejects.toBe(failure);
});

test("whatever is taken, the result is free and starts with the slug", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.nat(20), async (title, count) => {
      const slug = slugify(title);
      const taken = new Set(
        Array.from({ length: count }, (_, n) => (n === 0 ? slug : `${slug}-${n}`)),
      );
      const free = await findFreeSlug(slug, async (candidate) => taken.has(candidate));
      expect(taken.has(free)).toBe(false);
      expect(free.startsWith(slug)).toBe(true);
    }),
  );
});
