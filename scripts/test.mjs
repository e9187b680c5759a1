// `npm test` finds regressions. `npm run test:long` (--long) runs what takes long, kills processes or uses other browsers.
// Both end with the names of what failed and one line of counts.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, node, root, say } from "./prepare.mjs";

const long = process.argv.includes("--long");
let passed = 0;
let failed = 0;
const failures = [];

await ensureInstalled({ tools: true });
// Imported late, because the module needs the installed packages.
const { ensureBrowser, headlessShell } = await import("./browser.mjs");
const chromium = await ensureBrowser({ preferred: headlessShell });
say(`Browser: ${chromium}`);
rmSync(join(root, "test-results"), { recursive: true, force: true });
mkdirSync(join(root, "test-results"));

if (!long) {
  check("Format and lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]);
  check("Route types", ["node_modules/@react-router/dev/bin.cjs", "typegen"]);
  check("Types", ["node_modules/typescript/bin/tsc", "--noEmit"]);
  check("Function types", ["scripts/check-functions.ts"]);
}

await ensureBuilt();
const vitestReport = join(root, "test-results/vitest.json");
const projects = long ? ["long", "quiet"] : ["unit", "contract"];
say(`Vitest: ${projects.join(" and ")} tests`);
const vitest = execute([
  "node_modules/vitest/vitest.mjs",
  "run",
  ...projects.map((name) => `--project=${name}`),
  "--silent=passed-only",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${vitestReport}`,
]);
count(vitest, vitestReport, (report) => {
  for (const file of report.testResults.filter(({ status }) => status === "failed")) {
    // A message without a test comes from outside the tests, for example from `beforeAll`.
    const tests = file.assertionResults.flatMap(({ fullName, failureMessages }) =>
      failureMessages.map((message) => `${fullName}: ${message}`),
    );
    failures.push([file.name, file.message, ...tests].join("\n"));
  }
  return [report.numPassedTests, report.numFailedTests];
});

say("End-to-end tests");
const endToEndReport = join(root, "test-results/e2e.json");
const endToEnd = execute(
  ["node_modules/@playwright/test/cli.js", "test", `--project=${long ? "long" : "flows"}`],
  { CHROMIUM: chromium },
);
count(endToEnd, endToEndReport, ({ stats }) => [stats.expected, stats.unexpected]);

for (const failure of failures) console.log(`Failed: ${failure}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Runs a check, which counts as one test. */
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
