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
  // Quadratic time at worst. An exponential search would not end.
  expect(timeFor(2000)).toBeLessThan(5000);
});

const empty = mapContactFields(() => "");
const valid = { ...empty, name: "Jo", email: "jo@example.com", message: "Ten chars." };

test("a message at the bounds is valid, with any phone or none", () => {
  const longest = { ...valid, name: "🙂".repeat(200) };
  expect(parseContactMessage(longest)).toEqual({ message: longest });
  expect(parseContactMessage(valid)).toEqual({ message: valid });
  const withPhone = { ...valid, phone: "call me, maybe" };
  expect(parseContactMessage(withPhone)).toEqual({ message: withPhone });
});

test.each([
  ["name", "A", "Name must be at least 2 characters."],
  ["name", "x".repeat(201), "Name must be at most 200 characters."],
  // Characters are counted as PostgreSQL counts them.
  ["name", "🙂", "Name must be at least 2 characters."],
  ["email", "ada", "Please enter a valid email address."],
  ["email", "ada@example.com\r\nBcc: eve@example.com", "Please enter a valid email address."],
  ["email", `ada@${"y".repeat(317)}.com`, "Email must be at most 320 characters."],
  ["phone", "1".repeat(61), "Phone must be at most 60 characters."],
  ["message", "too short", "Message must be at least 10 characters."],
  ["message", "   short    ", "Message must be at least 10 characters."],
  ["message", "x".repeat(20_001), "Message must be at most 20,000 characters."],
])("the %s %j is rejected", (field, value, message) => {
  expect(parseContactMessage({ ...valid, [field]: value })).toEqual({
    issues: [{ field, message }],
  });
});

test("there is one issue per invalid field, in the order of the form", () => {
  const { issues } = parseContactMessage(empty);
  expect(issues?.map(({ field }) => field)).toEqual(["name", "email", "message"]);
});

test("surrounding blanks are removed and do not count", () => {
  expect(parseContactMessage({ ...valid, name: " J " }).issues).toHaveLength(1);
  expect(parseContactMessage({ ...valid, name: " Jo " }).message?.name).toBe("Jo");
});

test("a long text is rejected before its pattern is searched", () => {
  const start = performance.now();
  const { issues } = parseContactMessage({ ...valid, email: "a.".repeat(1_000_000) });
  expect(issues).toEqual([{ field: "email", message: "Email must be at most 320 characters." }]);
  expect(performance.now() - start).toBeLessThan(5000);
});
