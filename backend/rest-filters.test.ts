import { expect, test } from "vitest";
import { quoteFilterValues } from "./rest-filters.ts";

test.each([
  ["?slug=eq.true", 'slug=eq."true"'],
  ["?slug=not.eq.null", 'slug=not.eq."null"'],
  ['?slug=eq."a"', 'slug=eq.""a""'],
  ["?slug=eq.", 'slug=eq.""'],
  ["?id=in.(1,true)", 'id=in.("1","true")'],
  ['?id=in.("a,b",c)', 'id=in.("a,b",c)'],
  ["?deleted=is.null", "deleted=is.null"],
  ["?title=like.*eq.true*", "title=like.*eq.true*"],
  ["?select=eq.true&order=eq.asc&or=(a.eq.true)", "select=eq.true&order=eq.asc&or=(a.eq.true)"],
  ["?slug=eq.a&slug=eq.b", 'slug=eq."a"&slug=eq."b"'],
])("%s becomes %s", (search, expected) => {
  expect(decodeURIComponent(quoteFilterValues(search))).toBe(expected);
});
