import fc from "fast-check";
import { expect, test } from "vitest";
import { slugify } from "../../posts/slugify.ts";
import { firstFreeSlug, isGeneratedSlug, toSlugCharacters, wantedSlug } from "./slug.ts";

test("a slug is the title's with and without a number, and no other one, such as one with a year", () => {
  for (const slug of ["a-title", "a-title-1", "a-title-20"]) {
    expect(isGeneratedSlug(slug, "A title")).toBe(true);
  }
  for (const slug of [
    "a-titles",
    "a-title-",
    "a-title-x",
    "a-title-2026",
    "a-title-01",
    "title",
    "",
  ]) {
    expect(isGeneratedSlug(slug, "A title")).toBe(false);
  }
});

test.each([
  ["follows a changed title", "Outlook", "", "outlook"],
  ["follows a title that only gets longer", "Outlook 2026 and 2027", "", "outlook-2026-and-2027"],
  ["stays with its title", "Outlook 2026", "", "outlook-2026-1"],
  ["is the one that was typed", "Outlook", "my-view", "my-view"],
])("the slug of an edited post %s", (_rule, title, slug, wanted) => {
  const row = { title: "Outlook 2026", slug: "outlook-2026-1" };
  expect(wantedSlug({ title, slug }, row)).toBe(wanted);
});

test("an own slug that was removed is generated, and so is that of a new post", () => {
  expect(wantedSlug({ title: "Outlook", slug: "" }, { title: "Outlook", slug: "my-view" })).toBe(
    "outlook",
  );
  expect(wantedSlug({ title: "Outlook", slug: "" }, null)).toBe("outlook");
});

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
