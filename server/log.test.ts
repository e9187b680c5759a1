import { expect, test } from "vitest";
import { formatLogLine } from "./log.ts";

const now = new Date("2026-11-21T09:06:07.470Z");

test("elsewhere than on a terminal an event is one line of JSON", () => {
  const line = formatLogLine("error", "first\nsecond", { json: true, hideAddresses: true }, now);
  expect(line).not.toContain("\n");
  expect(JSON.parse(line)).toEqual({
    time: "2026-11-21T09:06:07.470Z",
    level: "error",
    message: "first\nsecond",
  });
});

test("on a terminal it stays as it was written", () => {
  expect(formatLogLine("info", "\nStopping", { json: false, hideAddresses: false }, now)).toBe(
    "\nStopping",
  );
});

test.each([
  ["550 <ada@example.com>: no such user", "550 <<address>>: no such user"],
  ["to=ada.b+news@mail.example.co.uk, refused", "<address>, refused"],
  ["Ünï@exämple.com and b@c", "<address> and <address>"],
  ["smtp://user:secret@mail.example.com:587", "smtp://user:<address>:587"],
])("no address in %s", (text, hidden) => {
  expect(formatLogLine("info", text, { json: false, hideAddresses: true }, now)).toBe(hidden);
});

test("a line of a megabyte is looked through at once", () => {
  const long = "a".repeat(1_000_000);
  expect(formatLogLine("info", long, { json: false, hideAddresses: true }, now)).toBe(long);
});
