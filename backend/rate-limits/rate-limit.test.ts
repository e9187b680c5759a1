import { expect, test } from "vitest";
import { createAllowance } from "./rate-limit.ts";

const start = 1_000_000;

function takeAll(allowance: ReturnType<typeof createAllowance>, key: string, now: number): number {
  let taken = 0;
  while (allowance.wait(key, now) === 0) {
    allowance.take(key, now);
    taken++;
  }
  return taken;
}

test("so many at once, then one for each part of the period", () => {
  const allowance = createAllowance({ count: 5, seconds: 600 });
  expect(takeAll(allowance, "a", start)).toBe(5);
  expect(allowance.wait("a", start)).toBe(120_000);
  expect(allowance.wait("a", start + 119_999)).toBe(1);
  expect(takeAll(allowance, "a", start + 120_000)).toBe(1);
  expect(takeAll(allowance, "a", start + 120_000 + 600_000)).toBe(5);
});

test("a limit of one is one in each period", () => {
  const allowance = createAllowance({ count: 1, seconds: 60 });
  expect(takeAll(allowance, "a", start)).toBe(1);
  expect(allowance.wait("a", start)).toBe(60_000);
  expect(takeAll(allowance, "a", start + 60_000)).toBe(1);
});

test("one visitor's requests don't count against another's", () => {
  const allowance = createAllowance({ count: 2, seconds: 60 });
  expect(takeAll(allowance, "a", start)).toBe(2);
  expect(takeAll(allowance, "b", start)).toBe(2);
});

test("asking for the wait costs nothing", () => {
  const allowance = createAllowance({ count: 2, seconds: 60 });
  for (let i = 0; i < 10; i++) expect(allowance.wait("a", start)).toBe(0);
  expect(takeAll(allowance, "a", start)).toBe(2);
});

test("a hundred thousand addresses take a bounded memory, and the latest are remembered", () => {
  const allowance = createAllowance({ count: 1, seconds: 3600 });
  let most = 0;
  for (let i = 0; i < 100_000; i++) {
    allowance.take(`visitor-${i}`, start + i / 1000);
    most = Math.max(most, allowance.size());
  }
  expect(most).toBe(20_000);
  expect(allowance.wait("visitor-99999", start + 1000)).toBeGreaterThan(0);
});
