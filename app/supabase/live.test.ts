import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { subscribeToChanges } from "./live.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
/** Notifies like a change of a table. */
const change = () => page.dispatchEvent(new Event("visibilitychange"));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
});

afterEach(() => {
  vi.useRealTimers();
});

test("changes at the same time cause one refetch, at once", async () => {
  const refetch = vi.fn();
  const unsubscribe = subscribeToChanges([], refetch);
  for (let count = 0; count < 3; count++) change();
  await vi.advanceTimersByTimeAsync(50);
  expect(refetch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refetch).toHaveBeenCalledTimes(1);
  unsubscribe();
});

test("a flood of changes causes a refetch per second, and one after the last change", async () => {
  const refetch = vi.fn();
  const unsubscribe = subscribeToChanges([], refetch);
  for (let time = 0; time < 5000; time += 10) {
    change();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(refetch).toHaveBeenCalledTimes(5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refetch).toHaveBeenCalledTimes(6);
  unsubscribe();
});

test("a refetch slower than the changes is not started again before it ends, also when it fails", async () => {
  const refetches: PromiseWithResolvers<void>[] = [];
  const unsubscribe = subscribeToChanges([], () => {
    const refetch = Promise.withResolvers<void>();
    refetches.push(refetch);
    return refetch.promise;
  });
  for (let time = 0; time < 5000; time += 10) {
    change();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(refetches).toHaveLength(1);
  refetches[0]?.reject(new Error("no connection"));
  await vi.advanceTimersByTimeAsync(0);
  expect(refetches).toHaveLength(2);
  unsubscribe();
});

test("nothing is refetched after the subscription has ended", async () => {
  const refetch = vi.fn();
  const unsubscribe = subscribeToChanges([], refetch);
  change();
  unsubscribe();
  change();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refetch).not.toHaveBeenCalled();
});
