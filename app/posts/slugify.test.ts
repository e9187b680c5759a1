import fc from "fast-check";
import { expect, test } from "vitest";
import { isGeneratedSlug, slugify, wantedSlug } from "./slugify.ts";

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
