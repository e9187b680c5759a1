import { expect, test } from "vitest";
import { createPageStore } from "./page-store.ts";

const keysOf = (store: ReturnType<typeof createPageStore>) =>
  store.newestFirst().map(([key]) => key);

test("what was not read for the longest time makes room", () => {
  const store = createPageStore(1000);
  for (const key of ["a", "b", "c", "d", "e", "f", "g", "h"]) store.set(key, { bytes: 119 });
  store.get("a");
  store.set("i", { bytes: 119 });
  expect(keysOf(store)).toEqual(["i", "a", "h", "g", "f", "e", "d", "c"]);
  expect(store.bytes).toBe(960);
});

test("the bound holds whatever comes and grows", () => {
  const store = createPageStore<{ bytes: number }>(1000);
  for (let n = 0; n < 500; n++) {
    const value = { bytes: (n * 37) % 120 };
    store.set(`k${n % 23}`, value);
    value.bytes += (n * 13) % 60;
    store.resized(`k${n % 23}`, value);
    expect(store.bytes).toBeLessThanOrEqual(1000);
  }
  for (const key of keysOf(store)) store.delete(key);
  expect(store.bytes).toBe(0);
});

test("a value that would push out most others is not kept", () => {
  const store = createPageStore(1000);
  store.set("small", { bytes: 10 });
  store.set("large", { bytes: 126 });
  expect(keysOf(store)).toEqual(["small"]);
});

test("a value that was replaced does not come back by growing", () => {
  const store = createPageStore(1000);
  const old = { bytes: 10 };
  store.set("a", old);
  store.set("a", { bytes: 20 });
  store.resized("a", old);
  expect(store.get("a")?.bytes).toBe(20);
  store.delete("a");
  store.resized("a", old);
  expect(store.get("a")).toBeUndefined();
});
