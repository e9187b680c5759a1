import { expect, test } from "vitest";
import { emailAddress } from "./contact-message.ts";

test.each([
  "ada@example.com",
  "ada.byron+site@mail.example.co.uk",
  "o'brien_7@example-site.com",
  "jörg@müller.de",
  "jo\u0308rg@example.com",
  "jörg@xn--mller-kva.de",
  "иван@пример.рф",
  "ivan@xn--e1afmkfd.xn--p1ai",
  "用户@例子.广告",
  "संपर्क@डाटामेल.भारत",
])("%s is an address", (address) => {
  expect(address).toMatch(emailAddress);
});

test.each([
  "",
  "ada",
  "ada@",
  "@example.com",
  "ada@example",
  "ada@example.c",
  "ada@.com",
  "ada@-example.com",
  ".ada@example.com",
  "ada.@example.com",
  "ada..byron@example.com",
  "ada@example..com",
  "ada@eve@example.com",
  "ada @example.com",
  "ada@example.com, eve@example.com",
  "ada@example.com,eve@example.com",
  "Ada <ada@example.com>",
  '"ada"@example.com',
  "ada@example.com\nBcc: eve@example.com",
  "ada@example.com\u2028",
  "ada\u200b@example.com",
  "ada\u202e@example.com",
  "ada@[127.0.0.1]",
])("%j is not an address", (address) => {
  expect(address).not.toMatch(emailAddress);
});

test("a long text that is no address is refused without a long search", () => {
  const timeFor = (length: number) => {
    const text = `${"a.".repeat(length)}@`;
    const start = performance.now();
    for (let run = 0; run < 20; run++) emailAddress.test(text);
    return performance.now() - start;
  };
  timeFor(100);
  // Quadratic at worst; an exponential search would not end.
  expect(timeFor(2000)).toBeLessThan(5000);
});
