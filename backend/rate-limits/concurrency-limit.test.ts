import { expect, test, vi } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

const roomy = {
  total: 100,
  perVisitor: 100,
  waitingPerVisitor: 100,
  waiting: 100,
  timeout: 60_000,
};

/** Whether a slot was given, or is still waited for. */
async function stateOf(slot: Promise<(() => void) | null>): Promise<"given" | "refused" | "waits"> {
  const waits = new Promise<"waits">((resolve) => setImmediate(resolve, "waits"));
  return Promise.race([slot.then((release) => (release ? "given" : "refused")), waits]);
}

test("one visitor has only so many slots, and others have theirs", async () => {
  const limit = createConcurrencyLimit({ ...roomy, perVisitor: 2 });
  const first = await limit.acquire("a");
  await limit.acquire("a");
  const third = limit.acquire("a");
  expect(await stateOf(third)).toBe("waits");
  expect(await stateOf(limit.acquire("b"))).toBe("given");
  first?.();
  expect(await stateOf(third)).toBe("given");
});

test("the site's own work is limited only by the total", async () => {
  const limit = createConcurrencyLimit({ ...roomy, total: 3, perVisitor: 1 });
  for (let count = 0; count < 3; count++) {
    expect(await stateOf(limit.acquire(null))).toBe("given");
  }
  expect(await stateOf(limit.acquire(null))).toBe("waits");
});

test("a visitor with one waiting request is served before the second of one with many", async () => {
  const limit = createConcurrencyLimit({ ...roomy, total: 1 });
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

test("what can't wait is refused: too many of one visitor, or of all", async () => {
  const limit = createConcurrencyLimit({
    ...roomy,
    total: 1,
    waitingPerVisitor: 2,
    waiting: 3,
  });
  await limit.acquire("a");
  const waiting = [limit.acquire("a"), limit.acquire("a")];
  expect(await limit.acquire("a")).toBeNull();
  waiting.push(limit.acquire("b"));
  expect(await limit.acquire("c")).toBeNull();
  for (const slot of waiting) expect(await stateOf(slot)).toBe("waits");
});

test("a wait ends after its timeout and when the client disconnects", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const limit = createConcurrencyLimit({ ...roomy, total: 1, timeout: 5000 });
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
  expect(await stateOf(limit.acquire("c"))).toBe("given");
  vi.useRealTimers();
});

test("releasing twice frees one slot", async () => {
  const limit = createConcurrencyLimit({ ...roomy, total: 2 });
  const first = await limit.acquire("a");
  await limit.acquire("a");
  first?.();
  first?.();
  expect(await stateOf(limit.acquire("b"))).toBe("given");
  expect(await stateOf(limit.acquire("b"))).toBe("waits");
});
