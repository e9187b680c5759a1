import { spawnSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder } from "../tests/temporary-folder.ts";
// @ts-expect-error: plain JavaScript without types, as test.mjs runs before the installation.
import { failure, readPlaywrightReport, readVitestReport, summarize } from "./failures.mjs";

const root = join(import.meta.dirname, "..");

test("the last lines name each failed unit or contract test and each unhandled error", async () => {
  const folder = await createTemporaryFolder("failures");
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    "a.test.js": `
      test("one passes", () => {});
      describe("a suite", () => {
        test("costs $5 (isn't it?)", () => expect(1).toBe(2));
      });`,
    "b.test.js": `
      beforeAll(() => { throw new Error("no database\\nmore"); });
      test("does not run", () => {});`,
    "c.test.js": `
      test("leaves a rejection", () => { Promise.reject(new Error("nobody waits")); });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const report = join(folder, "report.json");
  const { status } = spawnSync(
    process.execPath,
    [
      ...[join(root, "node_modules/vitest/vitest.mjs"), "run", "--globals", `--root=${folder}`],
      `--reporter=${join(root, "scripts/failures.mjs")}`,
    ],
    { cwd: folder, env: { PATH: process.env.PATH, FAILURES_FILE: report }, encoding: "utf8" },
  );
  expect(status).toBe(1);
  const lines = summarize([readVitestReport(report)]).split("\n");
  expect(lines).toEqual([
    "Failed: b.test.js",
    "  no database",
    "  npx vitest run b.test.js",
    "Failed: a.test.js: a suite > costs $5 (isn't it?)",
    "  expected 1 to be 2 // Object.is equality",
    "  npx vitest run a.test.js -t '^a suite costs .5 .isn.t it..'",
    "Failed: unhandled error in c.test.js",
    "  nobody waits",
    "  npx vitest run c.test.js",
    "2 passed, 3 failed",
  ]);
});

test("the last lines name each failed end-to-end test and an error outside of them", async () => {
  const folder = await createTemporaryFolder("failures");
  onTestFinished(() => rm(folder, { recursive: true }));
  const report = join(folder, "report.json");
  const results = [{ error: { message: "\u001b[31mError: timeout\u001b[39m\nmore" } }];
  const failed = { title: "shows a post", ok: false, file: "owner/posts.spec.ts", line: 12 };
  await writeFile(
    report,
    JSON.stringify({
      config: { rootDir: "/site/tests/e2e" },
      stats: { expected: 3 },
      errors: [{ message: "no browser" }],
      suites: [
        { specs: [{ ok: true }], suites: [{ specs: [{ ...failed, tests: [{ results }] }] }] },
      ],
    }),
  );
  expect(summarize([readPlaywrightReport(report)]).split("\n")).toEqual([
    "Failed: end-to-end tests",
    "  no browser",
    "  npx playwright test",
    "Failed: tests/e2e/owner/posts.spec.ts: shows a post",
    "  Error: timeout",
    "  npx playwright test tests/e2e/owner/posts.spec.ts:12",
    "3 passed, 2 failed",
  ]);
});

test("a failed check shows its first lines", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join("\n");
  const reports = [{ passed: 1, failures: [failure("types", lines, "npx tsc --noEmit", 2)] }];
  expect(summarize(reports)).toBe(
    "Failed: types\n  line 0\n  line 1\n  npx tsc --noEmit\n1 passed, 1 failed",
  );
});
