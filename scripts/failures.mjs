// What a run of tests leaves for the last lines of `npm test`: the counts, and for each failure its name, the first line of
// its reason and the command that runs that one test.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** A reporter of Vitest. Its reports in JSON lack errors outside of tests. */
export default class FailureReporter {
  /** @param options.outputFile where the report is written */
  constructor({ outputFile = process.env.FAILURES_FILE } = {}) {
    this.outputFile = outputFile;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = Map.groupBy(tests, (test) => test.result().state);
    const failures = [
      ...modules.flatMap((module) => [
        // From outside of tests, for example from `beforeAll`.
        ...failuresOf(module, module),
        ...[...module.children.allSuites()].flatMap((suite) => failuresOf(module, suite)),
      ]),
      ...(states.get("failed") ?? []).map((test) => {
        const [{ message } = {}] = test.result().errors ?? [];
        return failure(nameIn(test.module, test), message, commandOf(test.module, test));
      }),
      ...unhandledErrors.map(({ message, VITEST_TEST_PATH: file }) => {
        const module = modules.find(({ moduleId }) => moduleId === file);
        const name = `unhandled error in ${module ? nameIn(module, module) : "the run"}`;
        return failure(name, message, module && commandOf(module, module));
      }),
    ];
    const report = { passed: states.get("passed")?.length ?? 0, failures };
    writeFileSync(this.outputFile, JSON.stringify(report));
  }
}

function failuresOf(module, task) {
  return task
    .errors()
    .map(({ message }) => failure(nameIn(module, task), message, commandOf(module, task)));
}

const titleOf = (task) => (task.type === "module" ? "" : task.fullName);

function nameIn(module, task) {
  const title = titleOf(task);
  return `${module.relativeModuleId}${title && `: ${title}`}`;
}

function commandOf(module, task) {
  const project = module.project.name && ` --project=${module.project.name}`;
  // Vitest joins suite and test by a space. A dot stands for what a shell or a regular expression would interpret.
  const pattern = titleOf(task)
    .replaceAll(" > ", " ")
    .replace(/[^\p{L}\p{N} ,:;=_-]/gu, ".");
  return `npx vitest run${project} ${module.relativeModuleId}${pattern && ` -t '^${pattern}'`}`;
}

/** Reads the report that FailureReporter wrote. */
export function readVitestReport(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Reads a report of Playwright in JSON. */
export function readPlaywrightReport(file) {
  const { stats, errors = [], suites = [], config = {} } = JSON.parse(readFileSync(file, "utf8"));
  const folder = config.rootDir?.split("/").slice(-2).join("/") ?? "";
  const failures = [
    ...errors.map(({ message }) => failure("end-to-end tests", message, "npx playwright test")),
    ...suites.flatMap(specsIn).flatMap(({ ok, title, file: spec, line, tests }) => {
      if (ok) return [];
      const path = join(folder, spec);
      const { error } =
        tests.flatMap(({ results }) => results).find((result) => result.error) ?? {};
      const name = `${path}: ${title}`;
      return [failure(name, error?.message, `npx playwright test ${path}:${line}`)];
    }),
  ];
  return { passed: stats?.expected ?? 0, failures };
}

function specsIn({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsIn)];
}

/** @param count how many lines of the reason are kept */
export function failure(name, reason = "", command = "", count = 1) {
  const lines = stripVTControlCharacters(String(reason)).split("\n");
  return {
    name: name.replace(/\s+/g, " "),
    reason: lines
      .filter((line) => line.trim())
      .slice(0, count)
      .map((line) => line.trim().slice(0, 200)),
    command,
  };
}

/** The last lines of a run. */
export function summarize(reports) {
  const failures = reports.flatMap((report) => report.failures);
  const passed = reports.reduce((sum, report) => sum + report.passed, 0);
  const lines = failures.map(({ name, reason, command }) =>
    [`Failed: ${name}`, ...reason, command].filter(Boolean).join("\n  "),
  );
  return [...lines, `${passed} passed, ${failures.length} failed`].join("\n");
}
