import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PostgresServer } from "./server.ts";
import { MAX_FAILURES, supervise } from "./supervisor.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A server that exits when the test says so. */
function fakeServer(): PostgresServer & { end(): void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    url: "postgres://127.0.0.1:1/postgres",
    exited: promise,
    end: () => resolve("ended"),
    stop: async () => resolve("stopped"),
  };
}

async function superviseFakes() {
  const servers: ReturnType<typeof fakeServer>[] = [];
  const pauses: number[] = [];
  const log: string[] = [];
  let lastEnd = Date.now();
  let broken = false;
  const open = vi.fn(async () => {});
  const close = vi.fn();
  const supervisor = await supervise({
    async start() {
      pauses.push(Date.now() - lastEnd);
      lastEnd = Date.now();
      if (broken) throw new Error("no room left");
      const server = fakeServer();
      servers.push(server);
      return server;
    },
    open,
    close,
    log: (line) => log.push(line),
  });
  return {
    supervisor,
    servers,
    pauses,
    log,
    open,
    close,
    breakStarts() {
      broken = true;
    },
    async endServer() {
      lastEnd = Date.now();
      servers.at(-1)?.end();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test("a server that had started is restarted at once, with new connections", async () => {
  const { supervisor, servers, pauses, open, close, endServer } = await superviseFakes();
  await vi.advanceTimersByTimeAsync(60_000);
  await endServer();
  expect(supervisor.isReady()).toBe(true);
  expect(servers).toHaveLength(2);
  expect(pauses.at(-1)).toBe(0);
  expect([open.mock.calls.length, close.mock.calls.length]).toEqual([2, 1]);
});

test("failed starts are retried with back-off, a limited number of times", async () => {
  const { supervisor, pauses, log, breakStarts, endServer } = await superviseFakes();
  await vi.advanceTimersByTimeAsync(60_000);
  breakStarts();
  await endServer();
  expect(supervisor.isReady()).toBe(false);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  const starts = pauses.slice(1);
  expect(starts).toHaveLength(MAX_FAILURES);
  expect(starts.slice(0, 6)).toEqual([0, 250, 500, 1000, 2000, 4000]);
  expect(Math.max(...starts)).toBe(30_000);
  expect(log.at(-1)).toContain("not started again");
  expect(log.join("\n")).toContain("no room left");
  await supervisor.stop();
});

test("a server that always exits at once is given up as well", async () => {
  const { supervisor, servers, endServer } = await superviseFakes();
  for (let round = 0; round < 50; round += 1) {
    await endServer();
    await vi.advanceTimersByTimeAsync(500);
    // Longer than the longest pause. Other timers of the test run may be among the faked ones.
    for (let waited = 0; !supervisor.isReady() && waited < 31_000; waited += 100) {
      await vi.advanceTimersByTimeAsync(100);
    }
  }
  expect(supervisor.isReady()).toBe(false);
  expect(servers).toHaveLength(1 + MAX_FAILURES);
});

test("broken connections are replaced without a restart, once the server accepts them", async () => {
  const { supervisor, servers, open, close } = await superviseFakes();
  open.mockRejectedValueOnce(new Error("the database system is in recovery mode"));
  supervisor.connectionLost();
  supervisor.connectionLost();
  await vi.advanceTimersByTimeAsync(50);
  expect(supervisor.isReady()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  await supervisor.untilReady();
  expect(servers).toHaveLength(1);
  expect([open.mock.calls.length, close.mock.calls.length]).toEqual([3, 1]);
});

test("a stop ends the pause before the next start", async () => {
  const { supervisor, pauses, breakStarts, endServer } = await superviseFakes();
  breakStarts();
  await endServer();
  await vi.advanceTimersByTimeAsync(1_000);
  const before = pauses.length;
  await supervisor.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(pauses).toHaveLength(before);
  expect(vi.getTimerCount()).toBe(0);
});
