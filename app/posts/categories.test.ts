import { expect, test } from "vitest";
import { categoryPath, groupCategories } from "./categories.ts";

test("a category's address has the slug of its name", () => {
  expect(categoryPath("Working With an Adviser")).toBe("/blog/category/working-with-an-adviser");
  expect(categoryPath("退職計画")).toBe("/blog/category/post");
  expect(categoryPath('"><script>')).toBe("/blog/category/script");
});

test("categories with the same slug share a page, which has the most frequent name", () => {
  const stored = [
    { category: "Estate Planning", posts: 5, changed_at: "2026-01-05T00:00:00+00:00" },
    { category: "Taxes", posts: 4, changed_at: "2026-01-01T00:00:00+00:00" },
    { category: "taxes", posts: 2, changed_at: "2026-01-03T00:00:00.5+00:00" },
    { category: "Taxes!", posts: 1, changed_at: "2026-01-02T00:00:00+00:00" },
  ];
  expect(groupCategories(stored)).toEqual([
    {
      slug: "taxes",
      name: "Taxes",
      names: ["Taxes", "taxes", "Taxes!"],
      count: 7,
      changedAt: "2026-01-03T00:00:00.5+00:00",
    },
    {
      slug: "estate-planning",
      name: "Estate Planning",
      names: ["Estate Planning"],
      count: 5,
      changedAt: "2026-01-05T00:00:00+00:00",
    },
  ]);
});
