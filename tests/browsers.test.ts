import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

function runWithoutBrowsers(...args: string[]) {
  return spawnSync(process.execPath, [join(import.meta.dirname, "browsers/run.ts"), ...args], {
    encoding: "utf8",
    env: { ...process.env, FIREFOX: "/no/firefox", WEBKIT_DRIVER: "/no/driver" },
  });
}

test("npm run test:browsers without a browser fails and says what to install", () => {
  const { status, stdout } = runWithoutBrowsers();

  expect(stdout).toContain("Not installed, left out: Firefox, WebKitGTK.");
  expect(stdout).toContain("apt-get install firefox-esr webkit2gtk-driver xvfb");
  expect(stdout).toMatch(/^0 passed, 1 failed$/m);
  expect(status).toBe(1);
});

test("npm run test:long without a browser reports that these tests were skipped and continues", () => {
  const { status, stdout } = runWithoutBrowsers("--if-installed");

  expect(stdout).toContain("Not installed, left out: Firefox, WebKitGTK.");
  expect(stdout).toMatch(/^0 passed, 0 failed$/m);
  expect(status).toBe(0);
});
