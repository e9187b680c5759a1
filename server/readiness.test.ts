import { expect, test } from "vitest";
import { createReadiness } from "./readiness.ts";

test("a site is ready when something can be read", async () => {
  expect(await createReadiness(async () => {})()).toBe(true);
  expect(await createReadiness(() => Promise.reject(new Error("no answer")))()).toBe(false);
});

test("however often it is asked, the backend is read once", async () => {
  let reads = 0;
  const isReady = createReadiness(async () => {
    reads++;
  });
  await Promise.all(Array.from({ length: 100 }, isReady));
  expect(reads).toBe(1);
});
