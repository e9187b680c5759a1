import { expect, test } from "vitest";
import { redirectTarget } from "./recovery-links.ts";

const site = "https://www.example.com";

test.each([
  ["https://www.example.com/reset-password", "/reset-password"],
  ["https://www.example.com/", "/"],
  ["https://www.example.com", "/"],
  ["http://127.0.0.1:3000/reset-password", "/reset-password"],
  ["https://www.example.com/reset-password?next=https://evil.example#x", "/reset-password"],
])("%s leads to %s on the site", (requested, path) => {
  expect(redirectTarget(site, requested).href).toBe(`${site}${path}`);
});

const hostile = [
  "https://evil.example/reset-password",
  "https://evil.example\\@www.example.com/",
  "https://evil.example%5C@www.example.com/",
  "https://www.example.com\\@evil.example/",
  "https://www.example.com@evil.example/",
  "https://www.example.com:pass@evil.example/",
  "https://www.example.com.evil.example/",
  "https://evil-www.example.com/",
  "https://www.example.com:8443/",
  "https://evil.example//evil.example/",
  "https://evil.example/\\evil.example/",
  "https://evil.example/%5Cevil.example/",
  "https://evil.example/%2F%2Fevil.example/",
  "https://evil.example/..//evil.example",
  "https://evil.example/.//evil.example",
  "https://evil.example/\t/evil.example",
  "https:evil.example",
  "https:/evil.example",
  "https:///evil.example",
  "https:\\\\evil.example",
  "ht\ntps://evil.example",
  "\thttps://evil.example/",
  " https://evil.example/",
  "\u0000https://evil.example/",
  "//evil.example/",
  "///evil.example/",
  "/\\evil.example/",
  "\\\\evil.example\\",
  "/\t/evil.example",
  "javascript:alert(1)",
  "javascript://www.example.com/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "blob:https://www.example.com/x",
  "file:///etc/passwd",
  "https://evil.example/\r\nSet-Cookie: a=b",
  "https://www.example.com/%0d%0aSet-Cookie:%20a=b",
  "https://ｅｖｉｌ.example/",
  "https://evil。example/",
  "https://[::1]/",
  "https://0x7f.1/",
  "https://www.example.com#@evil.example/",
  "https://www.example.com?@evil.example/",
  "https://%",
  "reset-password",
  "",
];

test.each(hostile)("%j never leads to another site", (requested) => {
  const { href } = redirectTarget(site, requested);
  expect(href).toMatch(/^https:\/\/www\.example\.com\/(?![/\\])[\x21-\x7e]*$/);
  const { origin, username, password, search, hash } = new URL(href);
  expect({ origin, username, password, search, hash }).toEqual({
    origin: site,
    username: "",
    password: "",
    search: "",
    hash: "",
  });
});

test("a link without a requested URL leads to the home page", () => {
  expect(redirectTarget(site, null).href).toBe(`${site}/`);
});
