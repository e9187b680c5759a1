// `npm run test:browsers`: the main flows in Firefox and WebKitGTK, against the built site. With
// `--if-installed`, as `npm run test:long` runs it, a missing browser is skipped. Without it, having neither
// is a failure. The counts are written to test-results/browsers.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import freePort from "get-port";
import { z } from "zod";
import { startFaultyProxy } from "../faulty-proxy.ts";
import { startSite, stopSite } from "../start-site.ts";
import type { Browser } from "./browser.ts";
import { createTemporaryFolder, remove } from "./cleanup.ts";
import { startFirefox } from "./firefox.ts";
import { type Flow, flows, owner } from "./flows.ts";
import { findFirefox, findWebKit, installHint } from "./installed.ts";
import { takeProblems, withScript } from "./page-problems.ts";
import { Tab } from "./tab.ts";
import { startWebKit } from "./webkit.ts";

/** Milliseconds for one flow, and for starting a browser. */
const flowTimeout = 90_000;
const runTimeout = 8 * 60_000;

const firefox = findFirefox();
const webkit = findWebKit();
const browsers: { name: string; start: (() => Promise<Browser>) | null }[] = [
  { name: "Firefox", start: firefox ? () => startFirefox(firefox) : null },
  { name: "WebKitGTK", start: webkit ? () => startWebKit(webkit) : null },
];
let passed = 0;
let failed = 0;

const missing = browsers.filter(({ start }) => !start).map(({ name }) => name);
if (missing.length > 0) {
  console.log(`Not installed, left out: ${missing.join(", ")}. ${installHint}`);
}
setTimeout(() => {
  console.log(`Not done within ${runTimeout / 60_000} minutes`);
  process.exit(1);
}, runTimeout).unref();
if (missing.length < browsers.length) await runAll();
else if (!process.argv.includes("--if-installed")) failed = 1;

const results = join(import.meta.dirname, "../../test-results");
mkdirSync(results, { recursive: true });
writeFileSync(join(results, "browsers.json"), JSON.stringify({ passed, failed }));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function runAll(): Promise<void> {
  const folder = createTemporaryFolder("browsers");
  const failedRequests: string[] = [];
  const port = await freePort();
  const proxy = await startFaultyProxy(`http://127.0.0.1:${port}`, (response) => {
    if (response.status >= 400) failedRequests.push(`${response.status} ${response.path}`);
    return withScript(response);
  });
  const site = await startSite(port, {
    DATA_DIR: join(folder, "data"),
    SITE_URL: proxy.url,
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    RATE_LIMITS: "off",
  });
  // Also when a signal ends this process.
  process.once("exit", () => site.kill("SIGTERM"));
  try {
    for (const { name, start } of browsers) {
      if (start) await runIn(name, start, proxy.url, failedRequests);
    }
  } finally {
    await stopSite(site);
    await proxy.stop();
    remove(folder);
  }
}

async function runIn(
  name: string,
  start: () => Promise<Browser>,
  siteUrl: string,
  failedRequests: string[],
): Promise<void> {
  const began = performance.now();
  const id = crypto.randomUUID().slice(0, 8);
  let left = flows.length;
  let browser: Browser | null = null;
  try {
    browser = await within(flowTimeout, start());
    const tab = new Tab(browser, siteUrl);
    for (const flow of flows) {
      left--;
      // Ignore requests of the previous flow's page.
      failedRequests.length = 0;
      const problem = await within(flowTimeout, tryFlow(flow, tab, id, failedRequests));
      if (problem) failed++;
      else passed++;
      console.log(
        `  ${problem ? "✘" : "✓"} ${name}: ${flow.title}${problem && `\n    ${problem}`}`,
      );
    }
  } catch (error) {
    // The browser no longer responds.
    failed += left + 1;
    console.log(`  ✘ ${name}: ${error}; ${left} further flows were skipped`);
  } finally {
    await browser?.close();
  }
  console.log(`  ${name} took ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** @returns the failure, or an empty string. */
async function tryFlow(
  flow: Flow,
  tab: Tab,
  id: string,
  failedRequests: string[],
): Promise<string> {
  const problems: string[] = [];
  try {
    await flow.run(tab, id);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  problems.push(...z.array(z.string()).parse(await tab.evaluate(takeProblems)), ...failedRequests);
  return problems.filter((problem) => !flow.expected?.test(problem)).join("\n    ");
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Symbol("late");
  const first = await Promise.race([work, sleep(milliseconds, late, { ref: false })]);
  if (first === late) throw new Error(`No result within ${milliseconds / 1000} s`);
  return first as T;
}
