// Finds Chromium for the tests, measurements and screenshots: an installed one, Debian's, one from npm, or Playwright's.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { node, root, say } from "./prepare.mjs";

/** The path of Chromium without a user interface. Playwright prefers it too: tests take 40 % less time with it. */
export const headlessShell = "/usr/bin/chromium-headless-shell";
const onMachine = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The package contains Chromium itself (67 MB, for Linux on x64), so nothing but npm's registry must be reachable. */
const browserPackage = { name: "@sparticuz/chromium", version: "153.0.0" };
const packageFolder = join(root, ".browser", browserPackage.version);
const fromPackage = join(packageFolder, "chromium.sh");

/** Where tests look for Chromium, in this order. */
export const chromiums = [headlessShell, ...onMachine, fromPackage];

/** @returns the path of a browser that starts. Throws an error that says what to install. */
export async function ensureBrowser({ preferred } = {}) {
  const findFirst = (...paths) => paths.find((path) => path && starts(path));
  const found =
    findFirst(process.env.CHROMIUM, preferred) ??
    (preferred && installFromDebian(preferred)) ??
    findFirst(...onMachine);
  if (found) return found;

  const { chromium } = await import("@playwright/test");
  const own = findFirst(chromium.executablePath(), fromPackage) ?? installFromNpm();
  if (own) return own;
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

/** @returns the path of a script that starts the package's Chromium with the libraries and fonts that it brings */
function installFromNpm() {
  if (process.platform !== "linux" || process.arch !== "x64") return;
  const { name, version } = browserPackage;
  say(`Installing Chromium from the npm package ${name} (67 MB)`);
  rmSync(packageFolder, { recursive: true, force: true });
  mkdirSync(packageFolder, { recursive: true });
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  runSilently("npm", [...args, `--prefix=${packageFolder}`, `${name}@${version}`]);
  const packed = join(packageFolder, "node_modules", name, "bin");
  if (!existsSync(packed)) return;
  const unpack = (file) => brotliDecompressSync(readFileSync(join(packed, `${file}.br`)));
  for (const archive of ["al2023.tar", "fonts.tar"]) {
    const options = { input: unpack(archive), stdio: ["pipe", "ignore", "ignore"] };
    spawnSync("tar", ["-xf", "-", "--no-same-owner", "-C", packageFolder], options);
  }
  // The package's own file names folders of AWS.
  const fonts = `<fontconfig><dir>${packageFolder}/fonts</dir><cachedir>${packageFolder}/fonts-cache</cachedir></fontconfig>\n`;
  writeFileSync(join(packageFolder, "fonts.conf"), fonts);
  writeFileSync(join(packageFolder, "chromium"), unpack("chromium"), { mode: 0o755 });
  rmSync(join(packageFolder, "node_modules"), { recursive: true });
  const script = `#!/bin/sh
folder=$(dirname "$0")
export LD_LIBRARY_PATH="$folder/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$folder/fonts.conf"
exec "$folder/chromium" "$@"
`;
  // Renamed last, so that an interrupted installation is repeated.
  writeFileSync(`${fromPackage}.new`, script, { mode: 0o755 });
  renameSync(`${fromPackage}.new`, fromPackage);
  return starts(fromPackage) ? fromPackage : undefined;
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
