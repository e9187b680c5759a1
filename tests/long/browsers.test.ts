// The main flows in Firefox and WebKitGTK, against the built site. A browser that is not installed is skipped; with
// BROWSERS=required (`npm run test:browsers`) one must be.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Browser, findBrowsers, installHint } from "../browsers/browsers.ts";
import { flows } from "../browsers/flows.ts";
import { takeProblems, withScript } from "../browsers/page-problems.ts";
import { Tab } from "../browsers/tab.ts";
import { type FaultyProxy, startFaultyProxy } from "../faulty-proxy.ts";
import { freePort } from "../free-port.ts";
import { copyPreparedDataDir, owner } from "../prepared-data-dir.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const browsers = findBrowsers();

test.runIf(process.env.BROWSERS === "required")("a browser is installed", () => {
  expect(
    browsers.map(({ start }) => start !== null),
    installHint,
  ).toContain(true);
});

describe.each(browsers)("$name", ({ start }) => {
  const failedRequests: string[] = [];
  const id = crypto.randomUUID().slice(0, 8);
  let folder: string;
  let proxy: FaultyProxy;
  let site: Awaited<ReturnType<typeof startSite>>;
  let browser: Browser;
  let tab: Tab;

  beforeAll(async () => {
    if (!start) return;
    folder = await createTemporaryFolder("browsers");
    const dataDir = join(folder, "data");
    await copyPreparedDataDir(dataDir);
    const port = await freePort();
    proxy = await startFaultyProxy(`http://127.0.0.1:${port}`, (response) => {
      if (response.status >= 400) failedRequests.push(`${response.status} ${response.path}`);
      return withScript(response);
    });
    const account = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
    site = await startSite(port, { DATA_DIR: dataDir, SITE_URL: proxy.url, ...account });
    browser = await start();
    tab = new Tab(browser, proxy.url);
  });

  afterAll(async () => {
    if (!start) return;
    await browser?.close();
    await stopSite(site);
    await proxy.stop();
    await rm(folder, { recursive: true });
  });

  beforeEach(() => {
    // Ignores requests of the previous flow's page.
    failedRequests.length = 0;
  });

  test.skipIf(!start).each(flows)("$title", { timeout: 90_000 }, async ({ run, expected }) => {
    await run(tab, id);
    const problems = z.array(z.string()).parse(await tab.evaluate(takeProblems));
    const unexpected = [...problems, ...failedRequests].filter((text) => !expected?.test(text));
    expect(unexpected).toEqual([]);
  });

  // Discards the problems of a failed flow, so that they do not count for the next one.
  afterEach(async () => void (await tab?.evaluate(takeProblems).catch(() => {})));
});
