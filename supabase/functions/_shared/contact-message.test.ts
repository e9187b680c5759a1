import { expect, test } from "vitest";
import { mapContactFields } from "./contact-fields.ts";
import { emailAddress, parseContactMessage } from "./contact-message.ts";

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
])("%s is an email address", (address) => {
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
])("%j is not an email address", (address) => {
  expect(address).not.toMatch(emailAddress);
});

test("a long text that is not an address is rejected in polynomial time", () => {
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

const empty = mapContactFields(() => "");
const valid = { ...empty, name: "Jo", email: "jo@example.com", message: "Ten chars." };

test("a message at the lower bounds is valid, with any phone or none", () => {
  expect(parseContactMessage(valid)).toEqual({ message: valid });
  const withPhone = { ...valid, phone: "call me, maybe" };
  expect(parseContactMessage(withPhone)).toEqual({ message: withPhone });
});

test("each field has its own message", () => {
  expect(parseContactMessage({ ...empty, name: "J", email: "jo@", message: "Too short" })).toEqual({
    issues: [
      { field: "name", message: "Name must be at least 2 characters." },
      { field: "email", message: "Please enter a valid email address." },
      { field: "message", message: "Message must be at least 10 characters." },
    ],
  });
});

test("surrounding blanks are removed and do not count", () => {
  const { issues } = parseContactMessage({ ...valid, name: " J ", message: "   short   " });
  expect(issues?.map(({ field }) => field)).toEqual(["name", "message"]);
  expect(parseContactMessage({ ...valid, name: " Jo " }).message?.name).toBe("Jo");
});

test("characters are counted as PostgreSQL counts them", () => {
  expect(parseContactMessage({ ...valid, name: "🙂" }).issues).toHaveLength(1);
  expect(parseContactMessage({ ...valid, name: "🙂".repeat(200) }).issues).toBeUndefined();
});

test("a long text is rejected before its pattern is searched", () => {
  const start = performance.now();
  const { issues } = parseContactMessage({ ...valid, email: "a.".repeat(1_000_000) });
  expect(issues).toEqual([{ field: "email", message: "Email must be at most 320 characters." }]);
  expect(performance.now() - start).toBeLessThan(5000);
});
