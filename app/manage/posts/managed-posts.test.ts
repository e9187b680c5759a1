import { expect, test } from "vitest";
import { kinds } from "./kinds.ts";
import { searchOf, searchPath } from "./managed-posts.ts";

test.each([
  ["", { filter: "all", query: "", month: "", page: 1, kind: kinds.post }],
  [
    "?filter=draft&q=estate+plan&month=2026-03&page=2",
    { filter: "draft", query: "estate plan", month: "2026-03", page: 2, kind: kinds.post },
  ],
  [
    "?filter=x&q=%00&month=2026-13&page=0",
    { filter: "all", query: "", month: "", page: 1, kind: kinds.post },
  ],
])("/manage/posts%s requests this search", (url, search) => {
  expect(searchOf(url, kinds.post)).toEqual(search);
});

test.each([
  [{ filter: "all", query: "", month: "", kind: kinds.post }, "/manage/posts"],
  [{ filter: "draft", query: "", month: "", kind: kinds.page }, "/manage/pages?filter=draft"],
  [
    { filter: "deleted", query: "a&b", month: "2026-03", kind: kinds.post },
    "/manage/posts?filter=deleted&q=a%26b&month=2026-03",
  ],
] as const)("the search %# has one URL, which leads back to it", (search, path) => {
  expect(searchPath(search)).toBe(path);
  expect(searchOf(path.slice("/manage/posts".length), search.kind)).toEqual({
    ...search,
    page: 1,
  });
});
