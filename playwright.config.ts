import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";

/** The first one has no user interface: for `--headed`, set CHROMIUM to another. */
const chromiums = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "tests/prepared-data-dir.ts",
  fullyParallel: true,
  workers: 2,
  // Four times the default timeouts, for busy machines. They do not slow down tests that pass.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    // Tests of motion opt in: elsewhere, each test would wait for cards, dialogs and pages to appear.
    reducedMotion: "reduce",
    // For a test that fails now and then: --retries=1 records the second run.
    trace: "on-first-retry",
    launchOptions: {
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
