import { expect, test } from "vitest";
import { mapContactFields } from "../_shared/contact-fields.ts";
import { parseMessage, rowIdOf } from "./message.ts";

const empty = mapContactFields(() => "");
const valid = {
  ...empty,
  name: "Ada Lovelace",
  email: "ada@example.com",
  phone: "555 0100",
  message: "Please call me about life insurance.",
};

test("a complete message is accepted and trimmed", () => {
  expect(
    parseMessage({ ...valid, name: "  Ada Lovelace ", message: `\n${valid.message}\n` }),
  ).toEqual({ message: valid });
});

test("what the home page's form lets through is accepted", () => {
  const short = { ...empty, name: "J", email: "anna@localhost", message: "Call me" };
  expect(parseMessage({ name: "J", email: "anna@localhost", message: "Call me" })).toEqual({
    message: short,
  });
});

test("there is one issue per invalid field, in the order of the form", () => {
  const { issues } = parseMessage({ page: "nowhere", message: "" });
  expect(issues?.map(({ field }) => field)).toEqual(["name", "email", "message"]);
});

test.each([undefined, null, "", "   "])("the phone number %j counts as empty", (phone) => {
  expect(parseMessage({ ...valid, phone })).toEqual({ message: { ...valid, phone: "" } });
});

test.each([
  ["name", undefined, "Please enter your name."],
  ["name", " \r\n", "Please enter your name."],
  ["name", 12, "Name must be text."],
  ["email", " ada@ ", "Please enter a valid email address."],
  ["phone", 5550100, "Phone must be text."],
  ["message", " \n ", "Please enter your message."],
])("the %s %j is rejected", (field, value, message) => {
  expect(parseMessage({ ...valid, [field]: value })).toEqual({
    issues: [{ field, message }],
  });
});

test.each([null, [], "text", 1])("%j is not a message", (input) => {
  expect(parseMessage(input)).toEqual({
    issues: [{ field: "", message: "The message could not be read." }],
  });
});

test("control characters and line breaks are removed from single-line fields", () => {
  const result = parseMessage({
    ...valid,
    name: "Ada\r\nBcc: eve@example.com\u2028\0x\u0085y",
    phone: "1\r\n2",
  });
  expect(result).toMatchObject({
    message: { name: "Ada Bcc: eve@example.com x y", phone: "1 2" },
  });
});

test("the text keeps its line breaks and loses NUL, which the database rejects", () => {
  const result = parseMessage({ ...valid, message: "First line.\n\nSecond\0 line." });
  expect(result).toMatchObject({ message: { message: "First line.\n\nSecond line." } });
});

test.each([
  ["kept word for word", "I agree\r\nto calls.", "I agree\nto calls."],
  ["dropped when it is too long", "x".repeat(1001), ""],
  ["dropped when it is no text", { yes: true }, ""],
])("the consent to calls is %s, and the message is accepted", (_what, call_consent, expected) => {
  expect(parseMessage({ ...valid, call_consent })).toEqual({
    message: { ...valid, call_consent: expected },
  });
});

test.each(["/", "/services/life-insurance", "contact", "//é", "/a\nb", { path: "/" }])(
  "the page %j is kept if it is a path, and never rejects a message",
  (page) => {
    const isPath = typeof page === "string" && /^\/[!-~]*$/.test(page);
    expect(parseMessage({ ...valid, page })).toEqual({
      message: { ...valid, page: isPath ? page : "" },
    });
  },
);

test("there is no consent to calls without a phone number", () => {
  expect(parseMessage({ ...valid, phone: " ", call_consent: "I agree." })).toEqual({
    message: { ...valid, phone: "" },
  });
});

const stored = { ...empty, name: "Ada", email: "ada@example.com", message: "Please call me." };

test("a form that is sent twice has one id", () => {
  const id = rowIdOf(stored, "key");
  expect(rowIdOf({ ...stored }, "key")).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test.each([
  ["another key", stored, "other"],
  ["another text", { ...stored, message: "Please write to me." }, "key"],
  ["a phone number", { ...stored, phone: "555 0100" }, "key"],
  ["text moved to another field", { ...stored, name: "Ada,", email: "da@example.com" }, "key"],
])("%s makes another id", (_change, other, key) => {
  expect(rowIdOf(other, key)).not.toBe(rowIdOf(stored, "key"));
});

test("without a key each submission has its own id", () => {
  expect(rowIdOf(stored, null)).not.toBe(rowIdOf(stored, null));
});
