import { expect, test } from "vitest";
import { queryOf, searchPath } from "./post-lists.ts";

test.each([
  ["", ""],
  ["?page=2", ""],
  ["?q=", ""],
  ["?q=+%20+", ""],
  ["?q=%00", ""],
  ["?q=++term%09%0Alife+", "term life"],
  ["?q=a&q=b", "a"],
  ["?q=100%25+%22sure%22", '100% "sure"'],
  ["?q=%ED%A0%80", "\ufffd\ufffd\ufffd"],
  [`?q=${"a".repeat(10_000)}`, "a".repeat(200)],
  [`?q=${"%F0%9F%8F%A0".repeat(201)}`, "🏠".repeat(200)],
])("the query of %j is %j", (search, query) => {
  expect(queryOf(search)).toBe(query);
});

test.each(['a&b=c#d?e+f%20"', "100%", "退職 🏠", "\u200b<b>"])(
  "the address of the search %j requests the same search",
  (query) => {
    expect(queryOf(new URL(searchPath(query), "http://site").search)).toBe(query);
  },
);

test("without a query, the address is the list of all posts", () => {
  expect(searchPath("")).toBe("/blog");
});
