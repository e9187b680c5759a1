import { expect, test, vi } from "vitest";
import { loadPage } from "./load-page.ts";

const all = ["newest", "newer", "older", "oldest"];
const read = async (first: number, count: number) => all.slice(first, first + count);

test("a page has its rows and knows whether older ones follow", async () => {
  expect(await loadPage(read, { page: 1, size: 3 }, "rows")).toEqual({
    rows: ["newest", "newer", "older"],
    page: 1,
    hasNext: true,
    failed: false,
  });
  expect(await loadPage(read, { page: 2, size: 3 }, "rows")).toMatchObject({
    rows: ["oldest"],
    hasNext: false,
  });
});

test("rows that fill the last page exactly have no next page", async () => {
  expect(await loadPage(read, { page: 2, size: 2 }, "rows")).toMatchObject({
    rows: ["older", "oldest"],
    hasNext: false,
  });
});

test("a first page with rows of its own leaves none out and shows none twice", async () => {
  const pages = [1, 2].map((page) => loadPage(read, { page, size: 2, extra: 1 }, "rows"));
  const [first, second] = await Promise.all(pages);
  expect(first).toMatchObject({ rows: ["newest", "newer", "older"], hasNext: true });
  expect(second).toMatchObject({ rows: ["oldest"], hasNext: false });
});

test("a failure is logged and is a state of the page", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const failing = () => Promise.reject(new Error("out of reach"));
  expect(await loadPage(failing, { page: 2, size: 2 }, "rows")).toEqual({
    rows: [],
    page: 2,
    hasNext: false,
    failed: true,
  });
  expect(log).toHaveBeenCalledWith("Loading rows failed", new Error("out of reach"));
  log.mockRestore();
});
