import { expect, test } from "vitest";
import { chooseAddress } from "./site-address.ts";
import { readTypedAddress } from "./typed-address.ts";

test.each([
  ["www.hart.com", "https://www.hart.com"],
  [" HTTPS://WWW.Hart.com/ ", "https://www.hart.com"],
  ["http://hart.com", "https://hart.com"],
  ["hart.com.", "https://hart.com"],
  ["bücher.de", "https://xn--bcher-kva.de"],
  ["www.hart.com:443", "https://www.hart.com"],
])("%j is %s", (typed, url) => {
  expect(readTypedAddress(typed, null)).toMatchObject({ url });
});

test.each([
  ["", "Enter the address of your site"],
  ["my site", "Enter the address of your site"],
  ["ftp://www.hart.com", "Enter the address of your site"],
  ["javascript:alert(1)", "Enter the address of your site"],
  ["https://www.hart.com/blog", "without anything after it: www.hart.com."],
  ["www.hart.com?x=1", "without anything after it"],
  ["https://ada:pw@www.hart.com", "without anything after it"],
  ["www.hart.com:8443", "without a number after it"],
  ["8.8.8.8", "not numbers"],
  ["[2600::1]", "not numbers"],
  ["0x08080808", "not numbers"],
  ["10.0.0.5", "not numbers"],
  ["intranet", "Enter its address on the internet"],
  ["site.local", "Enter its address on the internet"],
  ["www.example.com", "Enter its address on the internet"],
  ["localhost:3000", "the machine itself"],
  ["127.0.0.1", "the machine itself"],
])("%j is rejected", (typed, sentence) => {
  expect(readTypedAddress(typed, null)).toEqual({ problem: expect.stringContaining(sentence) });
});

test("a site for its machine alone may have its own address there", () => {
  expect(readTypedAddress("http://localhost:3000", 3000)).toMatchObject({
    url: "http://localhost:3000",
  });
  expect(readTypedAddress("127.0.0.1:5432", 3000)).toHaveProperty("problem");
});

test("SITE_URL comes before the confirmed address, and that before where the site listens", () => {
  const environment = { siteUrl: "https://www.hart.com", isSiteUrlSet: true };
  const none = { siteUrl: "http://127.0.0.1:3000", isSiteUrlSet: false };
  const confirmed = { origin: "https://www.ash.com" };
  expect([
    chooseAddress(environment, confirmed),
    chooseAddress(none, confirmed),
    chooseAddress(none, { origin: "http://localhost:3000" }),
    chooseAddress(none, { origin: "javascript:alert(1)" }),
    chooseAddress(none, undefined),
  ]).toEqual([
    { url: "https://www.hart.com", source: "environment", isPublic: true },
    { url: "https://www.ash.com", source: "confirmed", isPublic: true },
    { url: "http://localhost:3000", source: "confirmed", isPublic: false },
    { url: "http://127.0.0.1:3000", source: null, isPublic: false },
    { url: "http://127.0.0.1:3000", source: null, isPublic: false },
  ]);
});
