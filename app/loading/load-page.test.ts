import { expect, test } from "vitest";
import { countPages, loadPage, statusOf } from "./load-page.ts";

const all = ["newest", "newer", "older", "oldest"];
const read = async (first: number, count: number) => all.slice(first, first + count);

test("a page has its rows and knows whether older ones follow", async () => {
  expect(await loadPage(read, { size: 3 }, 1)).toEqual({
    rows: ["newest", "newer", "older"],
    page: 1,
    hasNext: true,
  });
  expect(await loadPage(read, { size: 3 }, 2)).toMatchObject({ rows: ["oldest"], hasNext: false });
});

test("rows that fill the last page exactly have no next page", async () => {
  expect(await loadPage(read, { size: 2 }, 2)).toMatchObject({
    rows: ["older", "oldest"],
    hasNext: false,
  });
});

test("pages after a longer or shorter first page repeat no row and omit none", async () => {
  for (const [extra, first, second] of [
    [1, ["newest", "newer", "older"], ["oldest"]],
    [-1, ["newest"], ["newer", "older"]],
  ] as const) {
    const paging = { size: 2, extra };
    expect(await loadPage(read, paging, 1)).toMatchObject({ rows: first, hasNext: true });
    expect(await loadPage(read, paging, 2)).toMatchObject({ rows: second });
  }
});

test("the number of pages follows from the number of rows", () => {
  expect([0, 1, 3, 4, 5, 6].map((rows) => countPages(rows, { size: 2, extra: 1 }))).toEqual([
    1, 1, 1, 2, 2, 3,
  ]);
  expect([0, 1, 2, 3].map((rows) => countPages(rows, { size: 2, extra: -1 }))).toEqual([
    1, 1, 2, 2,
  ]);
});

test("a page beyond the last has status 404; an empty first page and a failure do not", () => {
  const empty = { rows: [], hasNext: false };
  expect(statusOf({ value: { ...empty, page: 2 } })).toBe(404);
  expect(statusOf({ value: { ...empty, page: 1 } })).toBe(200);
  expect(statusOf({ failed: true })).toBe(200);
});
