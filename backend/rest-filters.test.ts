import { expect, test } from "vitest";
import { inheritedName, quoteFilterValues } from "./rest-filters.ts";

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

test.each([
  ["?__proto__=eq.x", "__proto__"],
  ["?a=eq.1&constructor=eq.x", "constructor"],
  ["?posts.__proto__.order=id", "__proto__"],
  ["?%5F%5Fproto%5F%5F->a=eq.x", "__proto__"],
  ["?toString=eq.x", "toString"],
  ["?slug=eq.__proto__&or=(a.eq.1)", null],
])("in %s the inherited name is %s", (search, name) => {
  expect(inheritedName(search)).toBe(name);
});
