// Two starts on one DATA_DIR: the second one reports the first and changes nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../free-port.ts";
import { openClient } from "../start-project.ts";
import { startNewSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const longTimeout = { timeout: 240_000 };
const root = join(import.meta.dirname, "../..");

function spawnSite(dataDir: string, port: number): ChildProcess {
  const site = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(async () => void (await stopSite(site)));
  return site;
}

/** @returns the exit code and stderr */
async function endOf(site: ChildProcess) {
  const errors = site.stderr ? text(site.stderr) : "";
  const [code] = await once(site, "exit");
  return { code, errors: await errors };
}

function expectRejection({ code, errors }: Awaited<ReturnType<typeof endOf>>, dataDir: string) {
  expect(code).toBe(1);
  expect(errors).toContain(`DATA_DIR ${dataDir} is in use by a running site, backup or restore.`);
  expect(errors).not.toContain("    at ");
}

async function storeReview(dataDir: string, port: number): Promise<unknown> {
  const { publishableKey: anonKey } = loadSecrets(dataDir);
  const client = openClient({ url: `http://127.0.0.1:${port}`, anonKey });
  const review = { name: "Ada", content: "Still here?", rating: 5 };
  return (await client.from("testimonials").insert(review)).error;
}

test("a second start reports the running site, which is unaffected", longTimeout, async () => {
  const site = await startNewSite();
  onTestFinished(site.stop);
  let ended = false;
  const second = endOf(spawnSite(site.dataDir, await freePort())).finally(() => {
    ended = true;
  });
  const responses = new Set<number>();
  while (!ended) {
    responses.add((await fetch(`${site.url}/healthz/ready`)).status);
    expect(await storeReview(site.dataDir, site.port)).toBe(null);
  }
  expectRejection(await second, site.dataDir);
  expect([...responses]).toEqual([200]);
  expect(await storeReview(site.dataDir, site.port)).toBe(null);
});

test("of several simultaneous first starts exactly one succeeds", longTimeout, async () => {
  const folder = await createTemporaryFolder("second-start");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const running = new Set(await Promise.all([freePort(), freePort(), freePort()]));
  const ends: Awaited<ReturnType<typeof endOf>>[] = [];
  for (const port of running) {
    void endOf(spawnSite(dataDir, port)).then((end) => {
      running.delete(port);
      ends.push(end);
    });
  }
  await expect.poll(() => running.size, { timeout: 120_000 }).toBe(1);
  for (const end of ends) expectRejection(end, dataDir);
  const [winner = 0] = running;
  const isReady = () =>
    fetch(`http://127.0.0.1:${winner}/healthz/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  expect(await storeReview(dataDir, winner)).toBe(null);
});
