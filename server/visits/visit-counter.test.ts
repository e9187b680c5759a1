import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVisitCounter, type VisitCount } from "./visit-counter.ts";

const browser = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-22T20:00:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

function visit(path = "/", from = "/") {
  const url = `${path}?from=${encodeURIComponent(from)}`;
  return { method: "HEAD", url, headers: { "user-agent": browser } };
}

/** Sends visits, each from another address. */
let visitors = 0;
const anyone = () => String(++visitors);

function start(options: Partial<Parameters<typeof createVisitCounter>[0]> = {}) {
  const stored: { day: string; visits: VisitCount[] }[] = [];
  const logged: string[] = [];
  const counter = createVisitCounter({
    isEnabled: () => true,
    siteUrl: () => "https://www.example.com",
    timeZone: () => "America/Los_Angeles",
    store: async (day, visits) => void stored.push({ day, visits }),
    log: (line) => logged.push(line),
    ...options,
  });
  /** All stored counts, as `day kind key: count`. */
  const counts = () =>
    stored.flatMap(({ day, visits }) =>
      visits.map(({ kind, key, count }) => `${day} ${kind} ${key}: ${count}`),
    );
  return { counter, stored, logged, counts };
}

test("sums of pages, referring hosts and calculators are stored together after some seconds", async () => {
  const { counter, stored, counts } = start();
  counter.count(visit("/", "https://www.google.com/"), anyone);
  counter.count(visit("/", "https://google.com/search"), anyone);
  counter.count(visit("/blog"), anyone);
  counter.count({ ...visit(), url: "/savings-calculator?used=coverage" }, anyone);
  counter.count({ ...visit(), method: "GET" }, anyone);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stored).toHaveLength(1);
  expect(counts()).toEqual([
    "2026-11-22 page /: 2",
    "2026-11-22 referrer google.com: 2",
    "2026-11-22 page /blog: 1",
    "2026-11-22 calculator coverage: 1",
    "2026-11-22 start site: 1",
  ]);
  await counter.flush();
  expect(stored).toHaveLength(1);
});

test.each([true, false])("without visits, the day of the start is stored: %s", async (isOn) => {
  const { counts } = start({ isEnabled: () => isOn });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(counts()).toEqual(isOn ? ["2026-11-22 start site: 1"] : []);
});

test("the owner's switch stops counting at once", async () => {
  let enabled = true;
  const { counter, counts } = start({ isEnabled: () => enabled });
  counter.count(visit(), anyone);
  enabled = false;
  counter.count(visit(), anyone);
  await counter.flush();
  expect(counts()).toEqual(["2026-11-22 page /: 1"]);
});

test("a report counts if its page exists, but not after an error or a redirect", async () => {
  const { counter, counts } = start();
  for (const [url, statusCode] of [
    ["/blog/new-post", 200],
    ["/blog/known", 304],
    ["/blog/unknown", 302],
    ["/blog/broken", 500],
    ["/blog/cut", null],
  ] as const) {
    const response = Object.assign(new EventEmitter(), { statusCode });
    counter.countWhenSent(visit(url), response as unknown as ServerResponse, anyone);
    if (statusCode !== null) response.emit("finish");
  }
  await counter.flush();
  expect(counts()).toEqual(["2026-11-22 page /blog/new-post: 1", "2026-11-22 page /blog/known: 1"]);
});

test("one address counts at most 200 times a day, and others still count", async () => {
  const { counter, counts } = start();
  const attacker = () => "203.0.113.7";
  for (let number = 0; number < 500; number++) counter.count(visit(), attacker);
  counter.count(visit("/contact"), anyone);
  await counter.flush();
  vi.setSystemTime("2026-11-23T20:00:00Z");
  counter.count(visit("/services"), anyone);
  await counter.flush();
  counter.count(visit(), attacker);
  await counter.flush();
  expect(counts()).toEqual([
    "2026-11-22 page /: 200",
    "2026-11-22 page /contact: 1",
    "2026-11-23 page /services: 1",
    "2026-11-23 page /: 1",
  ]);
});

test("invented hosts cannot fill the memory", async () => {
  const { counter, stored } = start();
  for (let number = 0; number < 5000; number++) {
    counter.count(visit("/", `https://h${number}.example/`), anyone);
  }
  await counter.flush();
  expect(stored[0]?.visits).toHaveLength(1000);
  expect(stored[0]?.visits[0]).toEqual({ kind: "page", key: "/", count: 5000 });
});

test.each([
  ["fails", () => Promise.reject(new Error("the database is down"))],
  ["never responds", () => new Promise<void>(() => {})],
])("while a store %s, counts stay in memory", async (_what, failing) => {
  const stored: VisitCount[][] = [];
  let isDown = true;
  const { counter, logged } = start({
    store: async (_day, visits) => (isDown ? failing() : void stored.push(visits)),
  });
  counter.count(visit(), anyone);
  await vi.advanceTimersByTimeAsync(30_000);
  counter.count(visit(), anyone);
  expect(logged).toHaveLength(1);
  isDown = false;
  // No other visit happens.
  await vi.advanceTimersByTimeAsync(30_000);
  expect(stored.flat()).toContainEqual({ kind: "page", key: "/", count: 2 });
});

test("a stop waits for the counts that are being stored", async () => {
  const { counter, counts } = start();
  counter.count(visit(), anyone);
  counter.flush();
  counter.count(visit("/contact"), anyone);
  await counter.flush();
  expect(counts()).toEqual(["2026-11-22 page /: 1", "2026-11-22 page /contact: 1"]);
});

// Clocks go forward on 2026-03-08 and back on 2026-11-01 in Los Angeles, so these days have 23 and 25 hours.
test.each([
  ["2026-11-22T07:59:59Z", "2026-11-21"],
  ["2026-11-22T08:00:00Z", "2026-11-22"],
  ["2026-03-09T06:59:59Z", "2026-03-08"],
  ["2026-03-09T07:00:00Z", "2026-03-09"],
  ["2026-11-02T07:59:59Z", "2026-11-01"],
  ["2026-11-02T08:00:00Z", "2026-11-02"],
])("a visit at %s belongs to %s in the site's time zone", async (time, day) => {
  const { counter, stored } = start();
  vi.setSystemTime(time);
  counter.count(visit(), anyone);
  await counter.flush();
  expect(stored[0]?.day).toBe(day);
});
