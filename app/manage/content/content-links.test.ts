import { expect, test } from "vitest";
import { checkLinks, toHref } from "./content-links.ts";

const origin = "https://site.example";

test.each([
  [" https://a.example/b?c=d ", "https://a.example/b?c=d"],
  ["www.a.example/b_(c)", "https://www.a.example/b_(c)"],
  ["a.example", "https://a.example"],
  ["tel:+15035550199", "tel:+15035550199"],
  ["ada@a.example", "mailto:ada@a.example"],
  ["/contact", "/contact"],
  ["https://site.example/blog/a?b=c#d", "/blog/a?b=c#d"],
  ["https://site.example", "/"],
  ["https://", null],
  ["https://exam", null],
  ["javascript:alert(1)", null],
  ["//a.example", null],
  ["Contact", null],
  ["see https://a.example", null],
])("what is typed as a link, %j, leads to %j", (typed, href) => {
  expect(toHref(typed, origin)).toBe(href);
});

test("links to the site are found, and those that are not finished", () => {
  const link = (href: string) => ({ type: "link", start: 0, end: 2, href });
  const { own, unfinished } = checkLinks([
    { type: "paragraph", text: "Us and [the guide](https://", marks: [link("/contact")] },
    { type: "list", items: ["My", "https://a.example (b)"], itemMarks: [[link("https://exam")]] },
    { type: "quote", text: "It", marks: [link("https://a.example")] },
  ]);
  expect(own).toEqual([{ words: "Us", href: "/contact" }]);
  expect(unfinished.map(({ words }) => words)).toEqual(["[the guide](https://", "My"]);
});
