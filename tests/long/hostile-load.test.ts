// The short form of `npm run load:hostile`, which also judges response times: a busy machine would fail them here.
import { expect, test } from "vitest";
import { MAX_MEMORY_BYTES } from "../hostile-load/limits.ts";
import { runHostileLoad } from "../hostile-load/run.ts";

test("while one address attacks, visitors from other addresses are served", async () => {
  const { responses, peakMemory, exitCode } = await runHostileLoad(10);
  const rejected = responses.filter(({ status }) => status !== 200);
  expect(rejected).toEqual([]);
  expect(new Set(responses.map(({ what }) => what)).size).toBe(8);
  expect(peakMemory).toBeLessThan(MAX_MEMORY_BYTES);
  expect(exitCode).toBe(0);
});
