import { afterEach, expect, test, vi } from "vitest";
import { formatLogLine, limitLog } from "./log.ts";

const now = new Date("2026-11-21T09:06:07.470Z");

afterEach(() => {
  vi.useRealTimers();
});

test("without a terminal an event is one line of JSON", () => {
  const line = formatLogLine("error", "first\nsecond", { json: true, hideAddresses: true }, now);
  expect(line).not.toContain("\n");
  expect(JSON.parse(line)).toEqual({
    time: "2026-11-21T09:06:07.470Z",
    level: "error",
    message: "first\nsecond",
  });
});

const terminal = { json: false, hideAddresses: false };

test("on a terminal an event is text with further lines indented", () => {
  expect(formatLogLine("info", "Stopping\nnow", terminal, now)).toBe("Stopping\n  now");
});

test.each([
  ["a color", "\u001b[31mred", "\\u001b[31mred"],
  ["a bell and a backspace", "a\u0007\u0008", "a\\u0007\\u0008"],
  ["a return to the start of the line", "real\rfalse", "real\\u000dfalse"],
  ["a C1 control sequence", "\u009b2J", "\\u009b2J"],
  ["a reversed direction", "\u202egnp.exe", "\\u202egnp.exe"],
  ["a line separator", "a\u2028b", "a\\u2028b"],
])("%s is escaped on a terminal and in JSON", (_what, text, shown) => {
  expect(formatLogLine("error", text, terminal, now)).toBe(shown);
  const line = formatLogLine("error", text, { json: true, hideAddresses: false }, now);
  expect(line).not.toContain(text);
  expect(JSON.parse(line).message).toBe(text);
});

test("a long event is cut", () => {
  const line = formatLogLine("error", "x".repeat(1_000_000), terminal, now);
  expect(line.length).toBeLessThan(5_000);
  expect(line).toMatch(/x \[cut\]$/);
});

test("too many events are counted, and a flood of information hides no error", () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const log = limitLog(
    (level, text) => written.push(`${level} ${text}`),
    () => Date.now(),
  );
  for (let count = 0; count < 1000; count++) log("info", "flood");
  log("error", "important");
  expect(written.filter((line) => line === "info flood")).toHaveLength(100);
  expect(written.at(-1)).toBe("error important");
  vi.advanceTimersByTime(10_000);
  expect(written.at(-1)).toBe("warning log: 900 other lines were dropped: too many at once");
  for (let count = 0; count < 1000; count++) log("info", "again");
  expect(written.filter((line) => line === "info again")).toHaveLength(50);
});

test.each([
  ["550 <ada@example.com>: no such user", "550 <<address>>: no such user"],
  ["to=ada.b+news@mail.example.co.uk, refused", "<address>, refused"],
  ["Ünï@exämple.com and b@c", "<address> and <address>"],
  ["smtp://user:secret@mail.example.com:587", "smtp://user:<address>:587"],
])("hides the addresses in %s", (text, hidden) => {
  expect(formatLogLine("info", text, { json: false, hideAddresses: true }, now)).toBe(hidden);
});
