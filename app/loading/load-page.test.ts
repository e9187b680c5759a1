import { expect, test } from "vitest";
import { countPages, loadPage, statusOf } from "./load-page.ts";

const all = ["newest", "newer", "older", "oldest"];
const count = async () => all.length;
const read = async (first: number, count: number) => all.slice(first, first + count);

test("a page has its rows and knows whether older ones follow", async () => {
  expect(await loadPage(read, count, { size: 3 }, 1)).toEqual({
    rows: ["newest", "newer", "older"],
    page: 1,
    hasNext: true,
  });
  expect(await loadPage(read, count, { size: 3 }, 2)).toMatchObject({
    rows: ["oldest"],
    hasNext: false,
  });
});

test("rows that fill the last page exactly have no next page", async () => {
  expect(await loadPage(read, count, { size: 2 }, 2)).toMatchObject({
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
    expect(await loadPage(read, count, paging, 1)).toMatchObject({ rows: first, hasNext: true });
    expect(await loadPage(read, count, paging, 2)).toMatchObject({ rows: second });
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

test("a page beyond the last is the last one, with status 404 for search engines", async () => {
  const beyond = await loadPage(read, count, { size: 3 }, 9);
  expect(beyond).toEqual({ rows: ["oldest"], page: 2, hasNext: false, isBeyondLast: true });
  expect(statusOf({ value: beyond })).toBe(404);
  const none = await loadPage(
    async () => [],
    async () => 0,
    { size: 3 },
    2,
  );
  expect(none).toMatchObject({ rows: [], page: 1 });
});

test("a number that counts too many rows leads to an earlier page", async () => {
  expect(await loadPage(read, async () => 1000, { size: 3 }, 3)).toMatchObject({ page: 2 });
});

test("other pages, an empty list and a failure have status 200", async () => {
  expect(statusOf({ value: await loadPage(read, count, { size: 3 }, 2) })).toBe(200);
  expect(statusOf({ value: { rows: [], page: 1, hasNext: false } })).toBe(200);
  expect(statusOf({ failed: true })).toBe(200);
});
