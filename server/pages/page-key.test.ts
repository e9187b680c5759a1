import { expect, test } from "vitest";
import { pageKey } from "./page-key.ts";

test.each([
  ["/", "/"],
  ["/blog", "/blog"],
  ["/blog/a-first_post", "/blog/a-first_post"],
  ["/sitemap.xml", "/sitemap.xml"],
  ["/blog?", "/blog"],
  ["/blog?page=2", "/blog?page=2"],
  ["/blog?page=1", "/blog"],
  ["/blog?utm_source=mail&page=2&fbclid=x", "/blog?page=2"],
  ["/?gclid=abc", "/"],
])("%s is kept as %s", (target, key) => {
  expect(pageKey(target)).toBe(key);
});

test.each([
  "/blog?x=1",
  "/blog?page=0",
  "/blog?page=02",
  "/blog?page=-1",
  "/blog?page=1234567",
  "/blog?page=2&page=3",
  "/blog?page",
  "/Blog",
  "/bl%6Fg",
  "//blog",
  "/blog//x",
  "/blog/../contact",
  "/blog.data",
  "/_root.data?_routes=root",
  "http://evil.example/blog",
  "*",
  "",
])("%s is not kept", (target) => {
  expect(pageKey(target)).toBeNull();
});
