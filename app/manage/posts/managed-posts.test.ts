import { expect, test } from "vitest";
import { searchOf, searchPath } from "./managed-posts.ts";

test.each([
  ["", { filter: "all", query: "", month: "", page: 1, isPage: false }],
  [
    "?filter=draft&q=estate+plan&month=2026-03&page=2",
    { filter: "draft", query: "estate plan", month: "2026-03", page: 2, isPage: false },
  ],
  [
    "?filter=x&q=%00&month=2026-13&page=0",
    { filter: "all", query: "", month: "", page: 1, isPage: false },
  ],
])("/manage/posts%s requests this search", (url, search) => {
  expect(searchOf(url, false)).toEqual(search);
});

test.each([
  [{ filter: "all", query: "", month: "", isPage: false }, "/manage/posts"],
  [{ filter: "draft", query: "", month: "", isPage: true }, "/manage/pages?filter=draft"],
  [
    { filter: "deleted", query: "a&b", month: "2026-03", isPage: false },
    "/manage/posts?filter=deleted&q=a%26b&month=2026-03",
  ],
] as const)("the search %j has one URL, which leads back to it", (search, path) => {
  expect(searchPath(search)).toBe(path);
  expect(searchOf(path.slice("/manage/posts".length), search.isPage)).toEqual({
    ...search,
    page: 1,
  });
});
