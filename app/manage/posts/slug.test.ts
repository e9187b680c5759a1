import fc from "fast-check";
import { expect, test } from "vitest";
import { slugify } from "../../posts/slugify.ts";
import { firstFreeSlug, toSlugCharacters } from "./slug.ts";

test("what is typed as a slug has only characters that the database accepts", () => {
  expect(toSlugCharacters("My Café / 2027?")).toBe("My-Caf--2027");
});

test("a taken slug gets the first free number", async () => {
  const taken = new Set(["a-title", "a-title-1"]);
  expect(await firstFreeSlug("a-title", async (slug) => taken.has(slug))).toBe("a-title-2");
});

test("a post titled New or Category does not get the slug of a page", async () => {
  expect(await firstFreeSlug("new", async () => false)).toBe("new-1");
  expect(await firstFreeSlug("category", async () => false)).toBe("category-1");
});

test("an error of the check aborts the search", async () => {
  const failure = new Error("offline");
  await expect(firstFreeSlug("a-title", () => Promise.reject(failure))).rejects.toBe(failure);
});

test("whatever is taken, the result is free and starts with the slug", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.nat(20), async (title, count) => {
      const slug = slugify(title);
      const taken = new Set(
        Array.from({ length: count }, (_, n) => (n === 0 ? slug : `${slug}-${n}`)),
      );
      const free = await firstFreeSlug(slug, async (candidate) => taken.has(candidate));
      expect(taken.has(free)).toBe(false);
      expect(free.startsWith(slug)).toBe(true);
    }),
  );
});
