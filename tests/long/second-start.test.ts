// Two starts on one DATA_DIR: the second one reports the first and changes nothing.
import { join } from "node:path";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../free-port.ts";
import { endOf, startNode } from "../run-node.ts";
import { setUpFolder } from "../set-up.ts";
import { openClient } from "../start-project.ts";
import { startNewSite, stopSite } from "../start-site.ts";

const folder = await setUpFolder("second-start");
const longTimeout = { timeout: 240_000 };

function spawnSite(dataDir: string, port: number) {
  const environment = { NODE_ENV: "production", PORT: String(port), DATA_DIR: dataDir };
  const site = startNode(["server/main.ts"], environment);
  onTestFinished(async () => void (await stopSite(site)));
  return site;
}

function expectRejection({ code, output }: Awaited<ReturnType<typeof endOf>>, dataDir: string) {
  expect(code).toBe(1);
  expect(output).toContain(`DATA_DIR ${dataDir} is in use by a running site, backup or restore.`);
  expect(output).not.toContain("    at ");
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
