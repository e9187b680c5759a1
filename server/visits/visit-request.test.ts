import { expect, test } from "vitest";
import { reportedVisit } from "./visit-request.ts";

const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

/** What a request counts as: `page /, referrer direct`. */
function reported(url: string, { method = "HEAD", ...headers }: Record<string, string> = {}) {
  const request = { method, url, headers: { "user-agent": browser, ...headers } };
  return reportedVisit(request, "https://www.example.com/")
    .map(({ kind, key }) => `${kind} ${key}`)
    .join(", ");
}

test.each([
  ["/?from=/", "page /"],
  ["/services/life-insurance?from=/&at=1", "page /services/life-insurance"],
  ["/blog/?from=/", "page /blog"],
  ["/blog/a-first_post?at=1&from=/", "page /blog/a-first_post"],
  ["/blog/category/taxes?from=/", "page /blog/category/taxes"],
  ["/contact?from=", "page /contact, referrer direct"],
  ["/savings-calculator?from=/", "page /savings-calculator"],
  ["/form-crs?from=/", "page /form-crs"],
  ["/savings-calculator?used=coverage&at=1", "calculator coverage"],
  ["/?did=book&at=1", "action book"],
  ["/services/life-insurance?did=phone", "action phone"],
  ["/contact?did=mail", "action mail"],
])("%s counts as %s", (url, visit) => {
  expect(reported(url)).toBe(visit);
});

test.each([
  "/",
  "/?utm_source=mail",
  "/savings-calculator?used=another",
  "/?did=another",
  "/manage/visits?did=book",
  "/contact?used=coverage",
  "/login?from=/",
  "/confirm?from=/",
  "/manage/visits?from=/",
  "/blog/new?from=/",
  "/blog/a-post/edit?from=/",
  "/blog/preview/a-secret?from=/",
  "/blog/category/taxes/2?from=/",
  "/blog.data?from=/",
  "/rss.xml?from=/",
  "/images/640/uploads/a.png?from=/",
  "/Blog?from=/",
  "//blog?from=/",
  "/blog/%61?from=/",
  `/blog/${"a".repeat(601)}?from=/`,
  "http://evil.example/blog?from=/",
  "",
])("%s does not count", (url) => {
  expect(reported(url)).toBe("");
});

test.each([
  ["a page that is loaded, prefetched or prerendered", { method: "GET" }],
  ["a form that is posted", { method: "POST" }],
  ["a report from another site", { "sec-fetch-site": "cross-site" }],
  ["a report without a user agent", { "user-agent": "" }],
  ["a very long user agent", { "user-agent": `${browser} ${"x".repeat(1000)}` }],
  [
    "Googlebot",
    { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://google.com/bot)" },
  ],
  [
    "GPTBot",
    {
      "user-agent":
        "Mozilla/5.0 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    },
  ],
  [
    "a browser without a screen",
    { "user-agent": "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 HeadlessChrome/142.0.0.0" },
  ],
  ["curl", { "user-agent": "curl/8.5.0" }],
])("%s does not count", (_what, headers) => {
  expect(reported("/?from=/", headers)).toBe("");
  // Once more, from the cache.
  expect(reported("/?from=/", headers)).toBe("");
});

test.each([
  ["a phone", { "user-agent": iphone }],
  ["a browser that tells where the report comes from", { "sec-fetch-site": "same-origin" }],
])("a page that %s shows counts", (_what, headers) => {
  expect(reported("/?from=/", headers)).toBe("page /");
});

test("without scripts, the form that a calculator posts counts as its use", () => {
  const url = "/savings-calculator?used=retirement";
  expect(reported(url, { method: "POST" })).toBe("calculator retirement");
  expect(reported(url, { method: "GET" })).toBe("");
  expect(reported("/?did=book", { method: "POST" })).toBe("");
});

test.each([
  ["https://www.google.com/", "google.com"],
  ["https://news.example.org/a/page?q=private#x", "news.example.org"],
  ["https://WWW.Bing.com:8443/search", "bing.com"],
  ["http://user:secret@blog.example.net/", "blog.example.net"],
  ["https://müller.example/", "xn--mller-kva.example"],
  ["", "direct"],
  ["http://localhost:3000/", "direct"],
  ["http://192.168.0.7/", "direct"],
  ["http://[2001:db8::1]/", "direct"],
  ["android-app://com.example.mail/", "direct"],
  ["javascript:alert(1)", "direct"],
  ["not a url", "direct"],
  [`https://${"a.".repeat(130)}example/`, "direct"],
])("a visitor from '%s' came from %s", (from, referrer) => {
  expect(reported(`/?from=${encodeURIComponent(from)}`)).toBe(`page /, referrer ${referrer}`);
});

test.each(["/", "https://www.example.com/blog", "https://proxied.example/blog"])(
  "a visitor from '%s' was on this site already",
  (from) => {
    expect(reported(`/?from=${encodeURIComponent(from)}`, { host: "proxied.example" })).toBe(
      "page /",
    );
  },
);
