import { expect, test } from "vitest";
import { createRateLimit, visitorKey } from "./rate-limit.ts";

const start = 1_000_000;

function takeAll(limit: ReturnType<typeof createRateLimit>, key: string, now: number): number {
  let taken = 0;
  while (limit.take(key, now) === 0) taken++;
  return taken;
}

test.each([
  [5, 600, 120_000],
  [1, 60, 60_000],
])("%i in %i s: a burst, then one request per interval", (count, seconds, interval) => {
  const limit = createRateLimit({ count, seconds });
  expect(takeAll(limit, "a", start)).toBe(count);
  expect(limit.wait("a", start)).toBe(interval);
  expect(limit.take("a", start + interval - 1)).toBe(1);
  expect(takeAll(limit, "a", start + interval)).toBe(1);
  expect(takeAll(limit, "a", start + interval + seconds * 1000)).toBe(count);
  expect(takeAll(limit, "b", start)).toBe(count);
});

test.each([
  { count: 5, seconds: 600 },
  { count: 3000, seconds: 600 },
  { count: 20, seconds: 86_400 },
  { count: 10, seconds: 20 },
])(
  "$count in $seconds s: the whole burst within a fraction of a millisecond",
  ({ count, seconds }) => {
    for (const now of [0.1, 1234.567, 98_765.4321, 5_000_000.3]) {
      expect(takeAll(createRateLimit({ count, seconds }), "a", now)).toBe(count);
    }
  },
);

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

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4::/64"],
  ["unknown", "unknown"],
])("%s counts as %s", (address, key) => {
  expect(visitorKey(address)).toBe(key);
});
