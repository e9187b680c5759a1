// `npm test` finds regressions. `npm run test:long` (--long) runs what takes long, kills processes or uses other browsers.
// The last lines of both name each failure with the command that repeats it, and count.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureInstalled, node, root, say } from "./prepare.mjs";

const long = process.argv.includes("--long");
const results = join(root, "test-results");
/** Unit and contract tests with the tag `long` run in `npm run test:long`. */
const notLong = "--tags-filter=!long";

await ensureInstalled({ tools: true });
// Imported late, because these modules need the installed packages or their Node.
const { ensureBrowser, headlessShell } = await import("./browser.mjs");
const { failure, readPlaywrightReport, readVitestReport, summarize } = await import(
  "./failures.mjs"
);
const chromium = await ensureBrowser({ preferred: headlessShell });
say(`Browser: ${chromium}`);
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

const reports = long ? await runLong() : await runAll();
const summary = summarize(reports);
console.log(`\n${summary}`);
process.exit(/ 0 failed$/.test(summary) ? 0 : 1);

/** What needs no build runs beside it. The tests that start sites share the processors. */
async function runAll() {
  const beside = Promise.all([
    checkAll([
      [
        "format and lint",
        ["node_modules/@biomejs/biome/bin/biome", "check", "."],
        "npx biome check .",
      ],
      [
        "route types",
        ["node_modules/@react-router/dev/bin.cjs", "typegen"],
        "npx react-router typegen",
      ],
      ["types", ["node_modules/typescript/bin/tsc", "--noEmit"], "npx tsc --noEmit"],
      ["function types", ["scripts/check-functions.ts"], "node scripts/check-functions.ts"],
    ]),
    testWithVitest(["unit"], notLong),
  ]);
  const built = await build();
  const early = [built, ...(await beside).flat()];
  if (built.failures.length > 0) return early;
  return [
    ...early,
    ...(await Promise.all([testWithVitest(["contract"], notLong), testWithPlaywright()])),
  ];
}

async function runLong() {
  const built = await build();
  if (built.failures.length > 0) return [built];
  return [
    await testWithVitest(["unit", "contract"], "--tags-filter=long", ...filesWithLongTests()),
    await testWithVitest(["long", "quiet"]),
    await testWithPlaywright(),
  ];
}

/** Vitest would load all other files as well, and never end the projects that they start. */
function filesWithLongTests() {
  return ["app", "server", "packages", "tests"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(folder, name))
      .filter((name) => readFileSync(join(root, name), "utf8").includes('tags: "long"')),
  );
}

function build() {
  return check("build", ["scripts/build.mjs", "--if-changed"], "node scripts/build.mjs");
}

async function checkAll(checks) {
  const done = [];
  for (const each of checks) done.push(await check(...each));
  return done;
}

/** Runs a check, which counts as one test. */
async function check(name, args, command) {
  const { status, lines } = await run(name, args);
  if (status === 0) return { passed: 1, failures: [] };
  return { passed: 0, failures: [failure(name, lines.join("\n"), command, 10)] };
}

async function testWithVitest(projects, ...filters) {
  const name = `${projects[0]} tests`;
  const file = join(results, `${projects[0]}.json`);
  const { status } = await run(
    name,
    [
      ...["node_modules/vitest/vitest.mjs", "run", "--silent=passed-only"],
      ...projects.map((project) => `--project=${project}`),
      ...filters,
      ...["--reporter=default", "--reporter=./scripts/failures.mjs"],
    ],
    { FAILURES_FILE: file },
  );
  return reportOf(name, status, () => readVitestReport(file));
}

async function testWithPlaywright() {
  const name = "end-to-end tests";
  const projects = long ? ["--project=long", "--project=translated"] : ["--project=flows"];
  const { status } = await run(
    name,
    ["node_modules/@playwright/test/cli.js", "test", ...projects],
    {
      CHROMIUM: chromium,
    },
  );
  return reportOf(name, status, () => readPlaywrightReport(join(results, "e2e.json")));
}

/** A runner that ends with an error has failed, also without a report. */
function reportOf(name, status, read) {
  let report = { passed: 0, failures: [] };
  try {
    report = read();
  } catch (error) {
    return { ...report, failures: [failure(name, `ended without a report: ${error.message}`)] };
  }
  if (status === 0 || report.failures.length > 0) return report;
  return { ...report, failures: [failure(name, `ended with code ${status}; see its lines above`)] };
}

/** Runs a program, and prints its lines with its name in front. */
async function run(name, args, env = {}) {
  say(name);
  // The project's Node is first on the path of the tools' child processes.
  const path = `${join(root, "node_modules/.bin")}:${process.env.PATH}`;
  const child = spawn(node, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: path, ...env },
  });
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      console.log(`${name} | ${line}`);
    });
  }
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { status, lines };
}
