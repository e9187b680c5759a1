// `npm test`: runs every check of the project and prints one line of counts at the end.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, node, root, say } from "./prepare.mjs";

let passed = 0;
let failed = 0;

await ensureInstalled({ tools: true });
// Imported late: the module needs the installed packages.
const { ensureBrowser, headlessShell } = await import("./browser.mjs");
const chromium = await ensureBrowser({ preferred: headlessShell });
say(`Browser: ${chromium}`);
rmSync(join(root, "test-results"), { recursive: true, force: true });
mkdirSync(join(root, "test-results"));

check("Format and lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]);
check("Route types", ["node_modules/@react-router/dev/bin.cjs", "typegen"]);
check("Types", ["node_modules/typescript/bin/tsc", "--noEmit"]);
check("Function types", ["scripts/check-functions.ts"]);

await ensureBuilt();
say("Unit and contract tests");
const unitReport = join(root, "test-results/vitest.json");
const unit = execute([
  "node_modules/vitest/vitest.mjs",
  "run",
  "--silent=passed-only",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${unitReport}`,
]);
count(unit, unitReport, (report) => [report.numPassedTests, report.numFailedTests]);

say("End-to-end tests");
const endToEndReport = join(root, "test-results/e2e.json");
const endToEnd = execute(["node_modules/@playwright/test/cli.js", "test"], { CHROMIUM: chromium });
count(endToEnd, endToEndReport, ({ stats }) => [stats.expected + stats.flaky, stats.unexpected]);

say("Main flows in Firefox and WebKitGTK");
const browsersReport = join(root, "test-results/browsers.json");
const browsers = execute(["tests/browsers/run.ts", "--if-installed"]);
count(browsers, browsersReport, (report) => [report.passed, report.failed]);

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Runs a check that counts as one. */
function check(name, args) {
  say(name);
  if (execute(args) === 0) passed++;
  else failed++;
}

function execute(args, env = {}) {
  // The project's Node is first on the path of the tools' child processes.
  const path = `${join(root, "node_modules/.bin")}:${process.env.PATH}`;
  return spawnSync(node, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: path, ...env },
  }).status;
}

/** Adds a runner's counts. A runner that crashes counts as a failure, even without a report. */
function count(status, reportFile, read) {
  let counts = [0, 0];
  try {
    counts = read(JSON.parse(readFileSync(reportFile, "utf8")));
  } catch {
    say(`No report in ${reportFile}`);
  }
  passed += counts[0];
  failed += status === 0 ? counts[1] : Math.max(1, counts[1]);
}
