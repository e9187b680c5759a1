import { expect, test } from "vitest";
import { rowIdOf } from "./row-id.ts";

const message = { name: "Ada", email: "ada@example.com", phone: null, message: "Please call me." };

test("the same form sent twice is one message", () => {
  const id = rowIdOf(message, "key");
  expect(rowIdOf({ ...message }, "key")).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test.each([
  ["another key", message, "other"],
  ["another text", { ...message, message: "Please write to me." }, "key"],
  ["a phone number", { ...message, phone: "555 0100" }, "key"],
  [
    "the words moved to another field",
    { ...message, name: "Ada,", email: "da@example.com" },
    "key",
  ],
])("%s makes another message", (_what, other, key) => {
  expect(rowIdOf(other, key)).not.toBe(rowIdOf(message, "key"));
});

test("without a key each submission is a message of its own", () => {
  expect(rowIdOf(message, null)).not.toBe(rowIdOf(message, null));
});
