import { expect, test } from "vitest";
import { parseMessage } from "./message.ts";

const valid = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  phone: "555 0100",
  message: "Please call me about life insurance.",
};

test("a complete message is taken, trimmed", () => {
  expect(
    parseMessage({ ...valid, name: "  Ada Lovelace ", message: `\n${valid.message}\n` }),
  ).toEqual({ message: valid });
});

test.each(["jörg@müller.de", "jörg@xn--mller-kva.de", "用户@例子.广告"])(
  "the address %s is taken",
  (email) => {
    expect(parseMessage({ ...valid, email })).toEqual({ message: { ...valid, email } });
  },
);

test.each([undefined, null, "", "   "])("the phone number %j is none", (phone) => {
  expect(parseMessage({ ...valid, phone })).toEqual({ message: { ...valid, phone: null } });
});

test.each([
  ["name", "A", "Name must be at least 2 characters."],
  ["name", " A ", "Name must be at least 2 characters."],
  ["name", "🙂", "Name must be at least 2 characters."],
  ["name", undefined, "Name must be at least 2 characters."],
  ["name", "x".repeat(201), "Name must be at most 200 characters."],
  ["name", 12, "Name must be at least 2 characters."],
  ["phone", 5550100, "Please enter the phone number as text."],
  ["email", "ada", "Please enter a valid email address."],
  ["email", "ada@example.com, eve@example.com", "Please enter a valid email address."],
  ["email", "ada@example.com\r\nBcc: eve@example.com", "Please enter a valid email address."],
  ["email", `ada@${"x".repeat(60)}.${`${"y".repeat(60)}.`.repeat(5)}com`, /email address/i],
  ["phone", "1".repeat(61), "Phone number must be at most 60 characters."],
  ["message", "too short", "Message must be at least 10 characters."],
  ["message", "   short    ", "Message must be at least 10 characters."],
  ["message", "x".repeat(10_001), "Message must be at most 10,000 characters."],
])("the %s %j is refused", (field, value, message) => {
  expect(parseMessage({ ...valid, [field]: value })).toEqual({
    issues: [
      { field, message: typeof message === "string" ? message : expect.stringMatching(message) },
    ],
  });
});

test("each field is complained about once, in the order of the form", () => {
  expect(parseMessage({})).toEqual({
    issues: [
      { field: "name", message: "Name must be at least 2 characters." },
      { field: "email", message: "Please enter a valid email address." },
      { field: "message", message: "Message must be at least 10 characters." },
    ],
  });
});

test.each([null, [], "text", 1])("%j is no message", (input) => {
  expect(parseMessage(input)).toEqual({
    issues: [{ field: "", message: "The message could not be read." }],
  });
});

test("line breaks and other controls never stay in a one-line field", () => {
  const result = parseMessage({
    ...valid,
    name: "Ada\r\nBcc: eve@example.com\u2028\0x\u0085y",
    phone: "1\r\n2",
  });
  expect(result).toMatchObject({
    message: { name: "Ada Bcc: eve@example.com x y", phone: "1 2" },
  });
});

test("the text of the message keeps its lines but no null, which the database refuses", () => {
  const result = parseMessage({ ...valid, message: "First line.\n\nSecond\0 line." });
  expect(result).toMatchObject({ message: { message: "First line.\n\nSecond line." } });
});
