import { expect, test } from "vitest";
import { pageOf, pagePath } from "../../app/ui/pager.tsx";
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
  ["/?x=1", "/"],
  ["/services/life-insurance?page=2", "/services/life-insurance"],
  ["/blog/a-post?x=1&y", "/blog/a-post"],
  ["/blog/?page=2&x=1", "/blog/?page=2"],
  ["/testimonials?page=3", "/testimonials?page=3"],
  ["/blog?p%61ge=%32", "/blog?page=2"],
  ["/blog?page=2&page=3", "/blog?page=2"],
  ["/blog?page=2;x=1", "/blog"],
  ["/blog?page=02", "/blog?page=2"],
  ["/blog?page=0", "/blog"],
  ["/blog?page=-1", "/blog"],
  ["/blog?page=1.5", "/blog"],
  ["/blog?page=1234567", "/blog"],
  ["/blog?page", "/blog"],
  ["/blog?page=Infinity", "/blog"],
  ["/blog?q=&page=2", "/blog?page=2"],
  ["/blog/category/taxes?page=2&q=x", "/blog/category/taxes?page=2"],
  ["/testimonials?q=x", "/testimonials"],
  ["/?sent", "/?sent"],
  ["/contact?x=1&sent=2", "/contact?sent"],
  ["/share/blog/a-post.png?t=123&x=1", "/share/blog/a-post.png?t=123"],
  ["/share/blog/a-post.png?t=x", "/share/blog/a-post.png"],
])("%s has the key %s", (target, key) => {
  expect(pageKey(target)).toBe(key);
});

test.each([
  ...["2", "1", "0", "02", "1.5", "1e3", "0x10", "+3", " 4", "-1", "", "x", "Infinity", "100001"],
])("the key for page %j is the page that the list shows", (page) => {
  const search = `?page=${encodeURIComponent(page)}`;
  expect(pageKey(`/blog${search}`)).toBe(pagePath("/blog", pageOf(search)));
});

test.each([
  "/Blog",
  "/blog/preview/0b7e9f5c-5a55-4c0e-9d6c-000000000001",
  "/bl%6Fg",
  "//blog",
  "/blog//x",
  "/blog/../contact",
  "/blog.data",
  "/_root.data?_routes=root",
  "/blog?q=tax",
  "/?p=12",
  "/?page_id=12",
  "/blog?utm_source=mail&page=2&q=%00",
  "/blog/?q=+",
  "http://evil.example/blog",
  "*",
  "",
])("%s is not cached", (target) => {
  expect(pageKey(target)).toBeNull();
});
