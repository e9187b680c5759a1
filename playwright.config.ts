import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";

// scripts/test.mjs sets both; the defaults are for manual runs.
const port = Number(process.env.E2E_PORT ?? 4310);
export const dataDir = process.env.E2E_DATA_DIR ?? "/tmp/adviser-site-e2e";
const baseURL = `http://127.0.0.1:${port}`;
const debianChromium = "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests/e2e",
  fullyParallel: true,
  workers: 2,
  // Four times the defaults, for busy machines: a test that passes takes no longer.
  timeout: 120_000,
  expect: {
    timeout: 20_000,
    // The tree must match completely, without additions.
    toMatchAriaSnapshot: {
      children: "deep-equal",
      pathTemplate: "{testDir}/{testFileDir}/trees/{arg}{ext}",
    },
  },
  // The report lists tests that pass on retry as flaky.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  projects: [
    { name: "site", testIgnore: "after/**" },
    { name: "after", testMatch: "after/**", dependencies: ["site"] },
  ],
  use: {
    ...devices["Desktop Chrome"],
    baseURL,
    trace: "on-first-retry",
    launchOptions: {
      executablePath:
        process.env.CHROMIUM ?? (existsSync(debianChromium) ? debianChromium : undefined),
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
  webServer: {
    command: "node_modules/.bin/node server/main.ts",
    url: `${baseURL}/healthz`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    env: {
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      OWNER_EMAIL: "owner@example.com",
      OWNER_PASSWORD: "a-password-for-tests",
      RATE_LIMITS: "off",
    },
  },
});
