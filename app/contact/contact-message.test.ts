import { expect, test } from "vitest";
import { validateContactMessage } from "./contact-message.ts";

const valid = { name: "Jo", email: "jo@example.com", phone: "", message: "Ten chars." };

test("a message at the lower bounds is valid, with any phone or none", () => {
  expect(validateContactMessage(valid)).toEqual({});
  expect(validateContactMessage({ ...valid, phone: "call me, maybe" })).toEqual({});
});

test("an address may have letters of any script", () => {
  expect(validateContactMessage({ ...valid, email: "jörg@müller.de" })).toEqual({});
});

test("each field has its own message (section 5)", () => {
  expect(
    validateContactMessage({ name: "J", email: "jo@", phone: "", message: "Too short" }),
  ).toEqual({
    name: "Name must be at least 2 characters.",
    email: "Please enter a valid email address.",
    message: "Message must be at least 10 characters.",
  });
});

test("blanks do not count", () => {
  const errors = validateContactMessage({ ...valid, name: " J ", message: "   short   " });
  expect(Object.keys(errors)).toEqual(["name", "message"]);
});
