import { expect, test } from "vitest";
import { mapContactFields } from "./contact-fields.ts";
import { emailAddress, findContactErrors, findProblem, nativeAddress } from "./contact-message.ts";

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

test.each([
  "ada@localhost",
  "a@b",
  "ada@example.c",
  "ada@127.0.0.1",
  "ada..byron@example.com",
  ".ada.@example.com",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  "ada@xn--mller-kva.de",
  "jörg@müller.de",
  "संपर्क@डाटामेल.भारत",
  `ada@${"x".repeat(63)}.example`,
])("an email field and the function accept %s", (address) => {
  expect(address).toMatch(nativeAddress);
});

test.each([
  "",
  "ada",
  "ada@",
  "@example.com",
  "ada@.com",
  "ada@example.",
  "ada@example..com",
  "ada@-example.com",
  "ada@example-.com",
  "ada@eve@example.com",
  "ada @example.com",
  "ada@example.com,eve@example.com",
  "Ada <ada@example.com>",
  '"ada"@example.com',
  "ada@example.com\nBcc: eve@example.com",
  "ada@example.com\u2028",
  "ada\u200b@example.com",
  "ada\u202e@example.com",
  "ada@[127.0.0.1]",
  "ada@exam_ple.com",
  `ada@${"x".repeat(64)}.example`,
])("neither an email field nor the function accepts %j", (address) => {
  expect(address).not.toMatch(nativeAddress);
});

test.each([
  ["a practical address", emailAddress, (length: number) => `${"a.".repeat(length)}@`],
  ["an address of a browser", nativeAddress, (length: number) => `a@${"a-".repeat(length)}`],
  ["an address with many labels", nativeAddress, (length: number) => `a@${"a.".repeat(length)}`],
])("a long text that is not %s is rejected in polynomial time", (_what, pattern, textOf) => {
  const timeFor = (length: number) => {
    const text = textOf(length);
    const start = performance.now();
    for (let run = 0; run < 20; run++) pattern.test(text);
    return performance.now() - start;
  };
  timeFor(100);
  // Quadratic time at worst. An exponential search would not end.
  expect(timeFor(2000)).toBeLessThan(5000);
});

const empty = mapContactFields(() => "");
const valid = { ...empty, name: "Jo", email: "jo@example.com", message: "Ten chars." };

test("a message at the bounds is valid on /contact, with any phone or none", () => {
  expect(findContactErrors(valid)).toEqual({});
  expect(findContactErrors({ ...valid, name: "🙂".repeat(200) })).toEqual({});
  expect(findContactErrors({ ...valid, phone: "call me, maybe" })).toEqual({});
});

const tooLong = [
  ["name", "x".repeat(201), "Name must be at most 200 characters."],
  ["email", `ada@${"y".repeat(317)}.com`, "Email must be at most 320 characters."],
  ["phone", "1".repeat(61), "Phone must be at most 60 characters."],
  ["message", "x".repeat(20_001), "Message must be at most 20,000 characters."],
] as const;
const noAddress = ["ada", "ada@example.com\r\nBcc: eve@example.com"].map(
  (email) => ["email", email, "Please enter a valid email address."] as const,
);

test.each([
  ["name", "", "Name must be at least 2 characters."],
  ["name", "A", "Name must be at least 2 characters."],
  // Characters are counted as PostgreSQL counts them.
  ["name", "🙂", "Name must be at least 2 characters."],
  ["email", "ada@example", "Please enter a valid email address."],
  ["message", "too short", "Message must be at least 10 characters."],
  ...noAddress,
  ...tooLong,
] as const)("/contact rejects the %s %j", (field, value, message) => {
  expect(findContactErrors({ ...valid, [field]: value })).toEqual({ [field]: message });
});

test.each([
  ["name", "", "Please enter your name."],
  ["email", "", "Please enter a valid email address."],
  ["message", "", "Please enter your message."],
  ...noAddress,
  ...tooLong,
] as const)("the function rejects the %s %j", (field, value, message) => {
  expect(findProblem(field, value, "send-email")).toBe(message);
});

test.each([
  ["name", "J"],
  ["name", "🙂".repeat(200)],
  ["email", "anna@localhost"],
  ["phone", ""],
  ["message", "Call me"],
] as const)("the function accepts the %s %j, as the home page does", (field, value) => {
  expect(findProblem(field, value, "send-email")).toBeUndefined();
});

test("there is one error per invalid field, in the order of the form", () => {
  expect(Object.keys(findContactErrors(empty))).toEqual(["name", "email", "message"]);
});

test("a long text is rejected before its pattern is searched", () => {
  const start = performance.now();
  const problem = findProblem("email", "a.".repeat(1_000_000), "/contact");
  expect(problem).toBe("Email must be at most 320 characters.");
  expect(performance.now() - start).toBeLessThan(5000);
});
