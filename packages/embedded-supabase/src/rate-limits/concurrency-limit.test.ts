import { afterEach, expect, test, vi } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

const unlimited = {
  total: 100,
  perVisitor: 100,
  waitingPerVisitor: 100,
  waiting: 100,
  timeout: 60_000,
};

afterEach(() => {
  vi.useRealTimers();
});

/** Whether the request has a slot, was rejected or is queued. */
async function stateOf(
  slot: Promise<(() => void) | null>,
): Promise<"granted" | "rejected" | "queued"> {
  const queued = new Promise<"queued">((resolve) => setImmediate(resolve, "queued"));
  return Promise.race([slot.then((release) => (release ? "granted" : "rejected")), queued]);
}

test("limits the slots of one visitor, not of others", async () => {
  const limit = createConcurrencyLimit({ ...unlimited, perVisitor: 2 });
  const first = await limit.acquire("a");
  await limit.acquire("a");
  const third = limit.acquire("a");
  expect(await stateOf(third)).toBe("queued");
  expect(await stateOf(limit.acquire("b"))).toBe("granted");
  first?.();
  expect(await stateOf(third)).toBe("granted");
});

test("limits the site's own work only by the total", async () => {
  const limit = createConcurrencyLimit({ ...unlimited, total: 3, perVisitor: 1 });
  for (let count = 0; count < 3; count++) {
    expect(await stateOf(limit.acquire(null))).toBe("granted");
  }
  expect(await stateOf(limit.acquire(null))).toBe("queued");
});

test("serves a visitor with one queued request before the second request of a visitor with many", async () => {
  const limit = createConcurrencyLimit({ ...unlimited, total: 1 });
  const running = await limit.acquire("busy");
  const served: string[] = [];
  for (const visitor of ["busy", "busy", "busy", "other"]) {
    limit.acquire(visitor).then((release) => {
      served.push(visitor);
      setImmediate(() => release?.());
    });
  }
  running?.();
  await expect.poll(() => served.length).toBe(4);
  expect(served.indexOf("other")).toBeLessThan(2);
});

test("rejects a request when the queue of its visitor, or of all, is full", async () => {
  const limit = createConcurrencyLimit({
    ...unlimited,
    total: 1,
    waitingPerVisitor: 2,
    waiting: 3,
  });
  await limit.acquire("a");
  const waiting = [limit.acquire("a"), limit.acquire("a")];
  expect(await limit.acquire("a")).toBeNull();
  waiting.push(limit.acquire("b"));
  expect(await limit.acquire("c")).toBeNull();
  for (const slot of waiting) expect(await stateOf(slot)).toBe("queued");
});

test("stops waiting after the timeout and when the client disconnects", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const limit = createConcurrencyLimit({ ...unlimited, total: 1, timeout: 5000 });
  const release = await limit.acquire("a");
  const late = limit.acquire("a");
  const client = new AbortController();
  const gone = limit.acquire("b", client.signal);
  client.abort();
  expect(await gone).toBeNull();
  vi.advanceTimersByTime(5000);
  expect(await late).toBeNull();
  expect(await limit.acquire("b", client.signal)).toBeNull();
  release?.();
  expect(await stateOf(limit.acquire("c"))).toBe("granted");
});

test("releasing a slot twice frees one slot", async () => {
  const limit = createConcurrencyLimit({ ...unlimited, total: 2 });
  const first = await limit.acquire("a");
  await limit.acquire("a");
  first?.();
  first?.();
  expect(await stateOf(limit.acquire("b"))).toBe("granted");
  expect(await stateOf(limit.acquire("b"))).toBe("queued");
});
