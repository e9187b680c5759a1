import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVisitCounter, type VisitBatch } from "./visit-counter.ts";

const browser = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";
const timeZone = "America/Los_Angeles";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-22T20:00:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

function visit(url = "/", referer?: string) {
  return { method: "GET", url, headers: { "user-agent": browser, referer } };
}

/** Each visit comes from another address. */
let visitors = 0;
const anyone = () => String(++visitors);

function start(options: Partial<Parameters<typeof createVisitCounter>[0]> = {}) {
  const stored: VisitBatch[] = [];
  const logged: string[] = [];
  const counter = createVisitCounter({
    isEnabled: () => true,
    siteUrl: "https://www.example.com",
    timeZone: () => timeZone,
    store: async (batch) => void stored.push(batch),
    log: (line) => logged.push(line),
    ...options,
  });
  return { counter, stored, logged, counts: () => countsOf(stored) };
}

/** All stored counts, as `day kind key: count`. */
function countsOf(batches: VisitBatch[]): string[] {
  return batches.flatMap(({ visits }) =>
    visits.map(({ day, kind, key, count }) => `${day} ${kind} ${key}: ${count}`),
  );
}

test("sums of pages, referring hosts and calculators are stored in one batch", async () => {
  const { counter, stored, counts } = start();
  counter.countCached(visit("/", "https://www.google.com/"), anyone);
  counter.countCached(visit("/?utm_source=x", "https://google.com/search"), anyone);
  counter.countCached(visit("/blog", "https://www.example.com/"), anyone);
  counter.countCached({ ...visit("/savings-calculator?used=coverage"), method: "HEAD" }, anyone);
  counter.countCached(visit("/login"), anyone);
  await counter.flush();
  expect(stored).toHaveLength(1);
  expect(counts()).toEqual([
    "2026-11-22 page /: 2",
    "2026-11-22 page /blog: 1",
    "2026-11-22 referrer google.com: 2",
    "2026-11-22 calculator coverage: 1",
  ]);
});

test("nothing is stored twice, and nothing when there is nothing new", async () => {
  const { counter, counts } = start();
  counter.countCached(visit(), anyone);
  await counter.flush();
  await counter.flush();
  counter.countCached(visit(), anyone);
  await counter.flush();
  expect(counts()).toEqual(["2026-11-22 page /: 1", "2026-11-22 page /: 1"]);
});

test("the first visit is stored after seconds, later ones at most once a minute", async () => {
  const { counter, stored } = start();
  counter.countCached(visit(), anyone);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stored).toHaveLength(1);
  for (let second = 0; second < 55; second++) {
    counter.countCached(visit(), anyone);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(stored).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stored.map(({ visits }) => visits[0]?.count)).toEqual([1, 55]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(stored).toHaveLength(2);
});

test("the owner's switch stops counting at once", async () => {
  let enabled = true;
  const { counter, counts } = start({ isEnabled: () => enabled });
  counter.countCached(visit(), anyone);
  enabled = false;
  counter.countCached(visit(), anyone);
  await counter.flush();
  expect(counts()).toEqual(["2026-11-22 page /: 1"]);
});

test("an uncached page counts when it was sent, and an error or a redirect does not", async () => {
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

test("the number of keys is limited for the whole day, and the rest is counted together", async () => {
  const { counter, stored } = start();
  for (let round = 0; round < 3; round++) {
    for (let number = 0; number < 2500; number++) {
      counter.countCached(
        visit(`/blog/${round}-${number}`, `https://h${round}-${number}.example/`),
        anyone,
      );
    }
    await counter.flush();
  }
  const visits = stored.flatMap((batch) => batch.visits);
  const keys = (kind: string) => new Set(visits.filter((v) => v.kind === kind).map((v) => v.key));
  expect(keys("page").size).toBe(2001);
  expect(keys("referrer").size).toBe(501);
  expect(visits.filter((v) => v.kind === "page").reduce((sum, v) => sum + v.count, 0)).toBe(7500);
  expect(stored[2]?.visits.find((v) => v.kind === "page")).toMatchObject({
    key: "other",
    count: 2500,
  });
});

test("one address adds at most 10 referring hosts a day, and those of others are still counted", async () => {
  const { counter, counts } = start();
  const attacker = () => "203.0.113.7";
  counter.countCached(visit("/", "https://google.com/"), anyone);
  for (let number = 0; number < 1000; number++) {
    counter.countCached(visit("/", `https://h${number}.example/`), attacker);
    await counter.flush();
  }
  counter.countCached(visit("/", "https://google.com/"), attacker);
  counter.countCached(visit("/", "https://bing.com/"), anyone);
  await counter.flush();
  const hosts = new Set(counts().filter((line) => line.includes("referrer")));
  expect(hosts.size).toBe(1 + 10 + 1 + 1);
  expect(hosts).toContain("2026-11-22 referrer bing.com: 1");
  expect(hosts).toContain("2026-11-22 referrer google.com: 1");
  // A new day.
  vi.setSystemTime("2026-11-23T20:00:00Z");
  counter.countCached(visit("/", "https://h0.example/"), attacker);
  await counter.flush();
  expect(counts()).toContain("2026-11-23 referrer h0.example: 1");
});

test("after a failure, the same batch is stored again and later counts follow in another", async () => {
  const attempts: VisitBatch[] = [];
  let isDown = true;
  const { counter, logged } = start({
    async store(batch) {
      attempts.push(structuredClone(batch));
      if (isDown) throw new Error("the database is down");
    },
  });
  counter.countCached(visit(), anyone);
  await counter.flush();
  counter.countCached(visit(), anyone);
  await counter.flush();
  isDown = false;
  // Without another visit.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new Set(attempts.slice(0, 3).map(({ id }) => id)).size).toBe(1);
  expect(attempts[3]?.id).not.toBe(attempts[0]?.id);
  expect(attempts.map(({ visits }) => visits[0]?.count)).toEqual([1, 1, 1, 1]);
  expect(logged).toHaveLength(1);
});

test("a store that never responds is treated as failed", async () => {
  vi.useRealTimers();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.timeout(1));
  const answers = [new Promise<void>(() => {}), Promise.resolve()];
  const ids: string[] = [];
  const { counter } = start({
    store(batch) {
      ids.push(batch.id);
      return answers.shift() ?? Promise.resolve();
    },
  });
  counter.countCached(visit(), anyone);
  await counter.flush();
  await counter.stop();
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
});

test("while storing fails, counts of at most three days stay in memory", async () => {
  let isDown = true;
  const stored: VisitBatch[] = [];
  const { counter } = start({
    async store(batch) {
      if (isDown) throw new Error("down");
      stored.push(batch);
    },
  });
  for (let day = 0; day < 6; day++) {
    vi.setSystemTime(new Date(Date.UTC(2026, 10, 22 + day, 20)));
    counter.countCached(visit(), anyone);
    // Fails: every flush retries the batch of the first day before any later one.
    await counter.flush();
  }
  isDown = false;
  await counter.flush();
  expect(stored.flatMap(({ visits }) => visits.map(({ day }) => day))).toEqual([
    "2026-11-22",
    "2026-11-25",
    "2026-11-26",
    "2026-11-27",
  ]);
});

test("a stop stores the last counts", async () => {
  const { counter, counts } = start();
  counter.countCached(visit(), anyone);
  await counter.stop();
  expect(counts()).toEqual(["2026-11-22 page /: 1"]);
  expect(vi.getTimerCount()).toBe(0);
});

// Clocks go forward on 2026-03-08 and back on 2026-11-01 in Los Angeles, so these days have 23 and 25 hours.
test.each([
  ["a day", "2026-11-22T07:59:59Z", "2026-11-22T08:00:00Z", ["2026-11-21", "2026-11-22"]],
  [
    "the start of summer time",
    "2026-03-08T07:59:59Z",
    "2026-03-09T06:59:59Z",
    ["2026-03-07", "2026-03-08"],
  ],
  [
    "the day after it",
    "2026-03-09T06:59:59Z",
    "2026-03-09T07:00:00Z",
    ["2026-03-08", "2026-03-09"],
  ],
  [
    "the end of summer time",
    "2026-11-01T07:00:00Z",
    "2026-11-02T07:59:59Z",
    ["2026-11-01", "2026-11-01"],
  ],
  [
    "the day after that",
    "2026-11-02T07:59:59Z",
    "2026-11-02T08:00:00Z",
    ["2026-11-01", "2026-11-02"],
  ],
])(
  "at %s, visits belong to the day in the site's time zone",
  async (_what, first, second, days) => {
    const { counter, stored } = start();
    for (const time of [first, second]) {
      vi.setSystemTime(time);
      counter.countCached(visit(), anyone);
      await counter.flush();
    }
    expect(stored.flatMap(({ visits }) => visits.map(({ day }) => day))).toEqual(days);
  },
);

test("both days are stored when midnight passes between two flushes", async () => {
  const { counter, stored, counts } = start();
  vi.setSystemTime("2026-11-22T07:59:30Z");
  counter.countCached(visit(), anyone);
  vi.setSystemTime("2026-11-22T08:00:10Z");
  counter.countCached(visit(), anyone);
  await counter.flush();
  expect(stored).toHaveLength(1);
  expect(counts()).toEqual(["2026-11-21 page /: 1", "2026-11-22 page /: 1"]);
});
