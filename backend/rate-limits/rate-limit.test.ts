import { expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

const start = 1_000_000;

function takeAll(limit: ReturnType<typeof createRateLimit>, key: string, now: number): number {
  let taken = 0;
  while (limit.wait(key, now) === 0) {
    limit.take(key, now);
    taken++;
  }
  return taken;
}

test("allows a burst of `count`, then one request per interval", () => {
  const limit = createRateLimit({ count: 5, seconds: 600 });
  expect(takeAll(limit, "a", start)).toBe(5);
  expect(limit.wait("a", start)).toBe(120_000);
  expect(limit.wait("a", start + 119_999)).toBe(1);
  expect(takeAll(limit, "a", start + 120_000)).toBe(1);
  expect(takeAll(limit, "a", start + 120_000 + 600_000)).toBe(5);
});

test("a limit of one allows one request per period", () => {
  const limit = createRateLimit({ count: 1, seconds: 60 });
  expect(takeAll(limit, "a", start)).toBe(1);
  expect(limit.wait("a", start)).toBe(60_000);
  expect(takeAll(limit, "a", start + 60_000)).toBe(1);
});

test("counts each visitor separately", () => {
  const limit = createRateLimit({ count: 2, seconds: 60 });
  expect(takeAll(limit, "a", start)).toBe(2);
  expect(takeAll(limit, "b", start)).toBe(2);
});

test("reading the wait counts nothing", () => {
  const limit = createRateLimit({ count: 2, seconds: 60 });
  for (let i = 0; i < 10; i++) expect(limit.wait("a", start)).toBe(0);
  expect(takeAll(limit, "a", start)).toBe(2);
});

test("bounds the number of keys and keeps the newest", () => {
  const limit = createRateLimit({ count: 1, seconds: 3600 });
  let most = 0;
  for (let i = 0; i < 100_000; i++) {
    limit.take(`visitor-${i}`, start + i / 1000);
    most = Math.max(most, limit.size());
  }
  expect(most).toBe(20_000);
  expect(limit.wait("visitor-99999", start + 1000)).toBeGreaterThan(0);
});
