import { expect, test } from "vitest";
import { loadedPage, referringHost, usedCalculator } from "./visit-request.ts";

const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

function get(url: string, headers: Record<string, string> = {}) {
  return { method: "GET", url, headers: { "user-agent": browser, ...headers } };
}

test.each([
  ["/", "/"],
  ["/services/life-insurance", "/services/life-insurance"],
  ["/blog/", "/blog"],
  ["/blog/a-first_post?utm_source=mail", "/blog/a-first_post"],
  ["/blog/category/taxes?page=2", "/blog/category/taxes"],
  ["/blog?q=tax", "/blog"],
  ["/savings-calculator", "/savings-calculator"],
  ["/contact?sent", "/contact"],
])("%s counts as %s", (url, page) => {
  expect(loadedPage(get(url))).toBe(page);
});

test.each([
  "/login",
  "/manage/visits",
  "/blog/new",
  "/blog/a-post/edit",
  "/blog/category/taxes/2",
  "/blog.data",
  "/rss.xml",
  "/images/640/uploads/a.png",
  "/wp-login.php",
  "/Blog",
  "//blog",
  "/blog/%61",
  `/blog/${"a".repeat(601)}`,
  "http://evil.example/blog",
  "",
])("%s is not a page that counts", (url) => {
  expect(loadedPage(get(url))).toBeNull();
});

test.each([
  ["a HEAD request", { ...get("/"), method: "HEAD" }],
  ["a POST request", { ...get("/contact"), method: "POST" }],
  ["a prefetch", get("/", { "sec-purpose": "prefetch" })],
  ["a prerendered page", get("/", { "sec-purpose": "prefetch;prerender" })],
  ["an older prefetch", get("/", { purpose: "prefetch" })],
  ["a prefetch of Firefox", get("/", { "x-moz": "prefetch" })],
  ["a request of a script", get("/", { "sec-fetch-dest": "empty" })],
  ["a frame", get("/", { "sec-fetch-dest": "iframe" })],
  ["a request without a user agent", { method: "GET", url: "/", headers: {} }],
  ["a very long user agent", get("/", { "user-agent": `${browser} ${"x".repeat(1000)}` })],
])("%s does not count", (_what, request) => {
  expect(loadedPage(request)).toBeNull();
});

test.each([
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
  "curl/8.5.0",
])("the bot %s does not count", (userAgent) => {
  expect(loadedPage(get("/", { "user-agent": userAgent }))).toBeNull();
  // The second call reads the cache.
  expect(loadedPage(get("/", { "user-agent": userAgent }))).toBeNull();
});

test("a page that a person opens counts, with and without fetch metadata", () => {
  expect(loadedPage(get("/", { "user-agent": iphone }))).toBe("/");
  expect(loadedPage(get("/", { "sec-fetch-dest": "document" }))).toBe("/");
});

const origin = "https://www.example.com/";

test.each([
  ["https://www.google.com/", "google.com"],
  ["https://news.example.org/a/page?q=private#x", "news.example.org"],
  ["https://WWW.Bing.com:8443/search", "bing.com"],
  ["http://user:secret@blog.example.net/", "blog.example.net"],
  ["https://müller.example/", "xn--mller-kva.example"],
])("%s is the referring host %s", (referer, host) => {
  expect(referringHost({ referer }, origin)).toBe(host);
});

test.each([
  undefined,
  "https://www.example.com/blog",
  "https://proxied.example/blog",
  "http://localhost:3000/",
  "http://192.168.0.7/",
  "http://[2001:db8::1]/",
  "android-app://com.example.mail/",
  "javascript:alert(1)",
  "about:blank",
  "not a url",
  `https://${"a.".repeat(130)}example/`,
])("%s is no referring host", (referer) => {
  expect(referringHost({ referer, host: "proxied.example" }, origin)).toBeNull();
});

test.each([
  ["HEAD", "/savings-calculator?used=coverage", {}, "coverage"],
  [
    "HEAD",
    "/savings-calculator?used=retirement",
    { "sec-fetch-site": "same-origin" },
    "retirement",
  ],
  ["POST", "/savings-calculator?used=retirement", {}, "retirement"],
  ["HEAD", "/savings-calculator?used=coverage", { "sec-fetch-site": "cross-site" }, null],
  ["HEAD", "/savings-calculator?used=another", {}, null],
  ["HEAD", "/savings-calculator", {}, null],
  ["GET", "/savings-calculator?used=coverage", {}, null],
  ["HEAD", "/savings-calculator?used=coverage", { "user-agent": "curl/8.5.0" }, null],
])("%s %s with %j reports the calculator %s", (method, url, headers, calculator) => {
  expect(usedCalculator({ method, url, headers: { "user-agent": browser, ...headers } })).toBe(
    calculator,
  );
});
