// Finds Chromium for the tests, measurements and screenshots: an installed one, Playwright's own, or Debian's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { node, root, say } from "./prepare.mjs";

/** The path of Chromium without a user interface. Playwright prefers it too: tests take 40 % less time with it. */
export const headlessShell = "/usr/bin/chromium-headless-shell";
const onMachine = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** @returns the path of a browser that starts. Throws an error that says what to install. */
export async function ensureBrowser({ preferred } = {}) {
  const findFirst = (...paths) => paths.find((path) => path && starts(path));
  const found =
    findFirst(process.env.CHROMIUM, preferred) ??
    (preferred && installFromDebian(preferred)) ??
    findFirst(...onMachine);
  if (found) return found;

  const { chromium } = await import("@playwright/test");
  if (starts(chromium.executablePath())) return chromium.executablePath();
  say("Installing Playwright's Chromium");
  runSilently(node, ["node_modules/@playwright/test/cli.js", "install", "chromium"]);
  if (starts(chromium.executablePath())) return chromium.executablePath();

  const installed = installFromDebian("/usr/bin/chromium");
  if (installed) return installed;
  throw new Error(
    "No Chromium for the end-to-end tests: install one and set CHROMIUM to its path.",
  );
}

/** @returns the path if the package of that name could be installed */
function installFromDebian(path) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  say(`Installing Debian's ${basename(path)}`);
  runSilently("apt-get", ["update"]);
  runSilently("apt-get", ["install", "-y", "--no-install-recommends", basename(path)]);
  return starts(path) ? path : undefined;
}

function starts(path) {
  return existsSync(path) && spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;
}

function runSilently(command, args) {
  spawnSync(command, args, {
    cwd: root,
    stdio: "ignore",
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
