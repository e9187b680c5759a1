// Two starts on one DATA_DIR: the second one reports the first and changes nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import freePort from "get-port";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openClient } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");

let folder: string;
let dataDir: string;
const sites: ChildProcess[] = [];

beforeEach(async () => {
  folder = await createTemporaryFolder("second-start");
  dataDir = join(folder, "data");
});

afterEach(async () => {
  await Promise.all(sites.splice(0).map(stopSite));
  await rm(folder, { recursive: true, force: true });
});

function spawnSite(port: number): ChildProcess {
  const site = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  sites.push(site);
  return site;
}

/** @returns its exit code and its stderr. */
async function endOf(site: ChildProcess) {
  const [[code], errors] = await Promise.all([
    once(site, "exit"),
    site.stderr ? text(site.stderr) : "",
  ]);
  return { code, errors };
}

async function storeReview(port: number): Promise<unknown> {
  const { publishableKey } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const client = openClient({ url: `http://127.0.0.1:${port}`, anonKey: publishableKey });
  const { error } = await client
    .from("testimonials")
    .insert({ id: randomUUID(), name: "Ada", content: "Still here?", rating: 5 });
  return error;
}

const sentence = () => `DATA_DIR ${dataDir} is in use by a running site, backup or restore.`;

const longTimeout = { timeout: 240_000 };

test("a second start reports the running site, which is unaffected", longTimeout, async () => {
  const port = await freePort();
  const first = await startSite(port, { DATA_DIR: dataDir });
  sites.push(first);
  const second = spawnSite(await freePort());
  let ended = false;
  const end = endOf(second).finally(() => {
    ended = true;
  });
  const responses = new Set<number>();
  while (!ended) {
    responses.add((await fetch(`http://127.0.0.1:${port}/healthz/ready`)).status);
    expect(await storeReview(port)).toBe(null);
  }
  const { code, errors } = await end;
  expect(code).toBe(1);
  expect(errors).toContain(sentence());
  expect(errors).not.toContain("    at ");
  expect([...responses]).toEqual([200]);
  expect(await storeReview(port)).toBe(null);
});

test("after kill -9 of the first a new start works at once", longTimeout, async () => {
  const first = await startSite(await freePort(), { DATA_DIR: dataDir });
  first.kill("SIGKILL");
  await once(first, "exit");
  const port = await freePort();
  sites.push(await startSite(port, { DATA_DIR: dataDir }));
  expect(await storeReview(port)).toBe(null);
});

test("of several simultaneous starts exactly one succeeds", longTimeout, async () => {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const started = ports.map((port) => ({ port, site: spawnSite(port) }));
  const ends = started.map(async ({ site, port }) => ({ port, ...(await endOf(site)) }));
  const losers = [await Promise.race(ends)];
  losers.push(await Promise.race(ends.filter((_end, index) => ports[index] !== losers[0]?.port)));
  for (const { code, errors } of losers) {
    expect(code).toBe(1);
    expect(errors).toContain(sentence());
  }
  const winner = ports.find((port) => losers.every((loser) => loser.port !== port)) ?? 0;
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${winner}/healthz/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      {
        timeout: 60_000,
      },
    )
    .toBe(true);
  expect(await storeReview(winner)).toBe(null);
});
