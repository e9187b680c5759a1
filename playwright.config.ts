import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";
import { chromiums } from "./scripts/browser.mjs";
import type { Options } from "./tests/e2e/test.ts";

/** Files and single tests that `npm run test:long` runs. */
const long = /\.long\.spec|@long/;
/** Tests that `npm run test:long` runs once more, in a browser that translates the pages. */
const translated = /@translated/;

export default defineConfig<Options>({
  testDir: "tests/e2e",
  globalSetup: "tests/prepared-data-dir.ts",
  fullyParallel: true,
  workers: 2,
  // Each test has a browser, a site and a database. The longest flows take 20 seconds beside the contract tests.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  projects: [
    { name: "flows", grepInvert: long },
    { name: "long", grep: long, timeout: 120_000 },
    { name: "translated", grep: translated, timeout: 120_000, use: { isTranslated: true } },
  ],
  use: {
    ...devices["Desktop Chrome"],
    // Tests of motion opt in: elsewhere, each test would wait for cards, dialogs and pages to appear.
    reducedMotion: "reduce",
    // For a test that fails now and then: --retries=1 records the second run.
    trace: "on-first-retry",
    launchOptions: {
      // The first one has no user interface: for `--headed`, set CHROMIUM to another.
      executablePath: process.env.CHROMIUM ?? chromiums.find((path) => existsSync(path)),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
