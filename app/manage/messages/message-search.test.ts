import { expect, test } from "vitest";
import { cleanQuery } from "../../loading/search-query.ts";
import { searchOf, searchPath } from "./message-search.ts";

test.each([
  ["", { filter: "all", query: "", page: 1 }],
  ["?filter=unread&q=ada+lovelace&page=3", { filter: "unread", query: "ada lovelace", page: 3 }],
  ["?filter=secret&q=%20&page=-1", { filter: "all", query: "", page: 1 }],
  ["?filter=toString&q=100%25%00&page=x", { filter: "all", query: "100%", page: 1 }],
])("/messages%s requests this search", (url, search) => {
  expect(searchOf(url)).toEqual(search);
});

test.each([
  [{ filter: "all", query: "" }, "/messages"],
  [{ filter: "flagged", query: "" }, "/messages?filter=flagged"],
  [{ filter: "all", query: 'a&b=c,"(%_' }, "/messages?q=a%26b%3Dc%2C%22%28%25_"],
] as const)("the search %j has one URL, which leads back to it", (search, path) => {
  expect(searchPath(search)).toBe(path);
  expect(searchOf(path.slice("/messages".length))).toEqual({ ...search, page: 1 });
});

test("a long query is cut to 200 characters, without splitting a character", () => {
  expect(cleanQuery("a".repeat(1000))).toHaveLength(200);
  expect(cleanQuery("👩".repeat(300))).toBe("👩".repeat(200));
});
