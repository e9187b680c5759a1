// The short form of `npm run load:hostile`.
import { expect, test } from "vitest";
import { MAX_MEMORY_BYTES } from "../hostile-load/limits.ts";
import { runHostileLoad } from "../hostile-load/run.ts";

test("while one address attacks, visitors from other addresses are served", async () => {
  const { responses, peakMemory, exitCode } = await runHostileLoad(10);
  const rejected = responses.filter(({ status }) => status !== 200);
  expect(rejected).toEqual([]);
  expect(new Set(responses.map(({ what }) => what)).size).toBe(7);
  // Other tests run at the same time: a few responses may be late, but less than a tenth.
  const late = responses.filter(({ milliseconds }) => milliseconds > 1000);
  expect(late.length).toBeLessThan(responses.length / 10);
  expect(peakMemory).toBeLessThan(MAX_MEMORY_BYTES);
  expect(exitCode).toBe(0);
});
