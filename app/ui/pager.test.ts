import { expect, test } from "vitest";
import { pageOf, pagePath } from "./pager.tsx";

test.each([
  ["", 1],
  ["?page=1", 1],
  ["?page=3", 3],
  ["?utm_source=a&page=3", 3],
  ["?page=0", 1],
  ["?page=-2", 1],
  ["?page=1.5", 1],
  ["?page=next", 1],
  ["?page=1e99", 1],
])("/blog%s requests page %d", (search, page) => {
  expect(pageOf(search)).toBe(page);
});

test("the first page of a list has no query", () => {
  expect(pagePath("/blog", 1)).toBe("/blog");
  expect(pagePath("/blog", 2)).toBe("/blog?page=2");
  expect(pagePath("/messages?q=a", 2)).toBe("/messages?q=a&page=2");
});
