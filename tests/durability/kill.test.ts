import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "../../backend/free-port.ts";
import { openClient } from "../start-project.ts";
import { makePassable } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
let dataDir: string;
let running: ChildProcess | undefined;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "kill-"));
  await makePassable(folder);
  dataDir = join(folder, "data");
});

afterEach(async () => {
  if (running?.exitCode === null) {
    const ended = new Promise((resolve) => running?.once("exit", resolve));
    running.kill("SIGTERM");
    await ended;
  }
  await rm(join(dataDir, ".."), { recursive: true, force: true });
});

/** The site as `npm start` runs it; resolves when it answers. */
async function startSite(port: number): Promise<ChildProcess> {
  const site = spawn(join(root, "node_modules/.bin/node"), ["server/main.ts"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (let waited = 0; waited < 20_000; waited += 100) {
    if (site.exitCode !== null) throw new Error(`The site ended with code ${site.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok) return site;
    await setTimeout(100);
  }
  throw new Error("The site did not start");
}

async function postgresPid(): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}

test.each([
  ["the site alone", false],
  ["the site and its PostgreSQL", true],
])("kill -9 of %s during inserts loses no acknowledged row", async (_, databaseToo) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  running = await startSite(port);
  const { publishableKey } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const client = openClient({ url, anonKey: publishableKey });
  const acknowledged: string[] = [];
  let stopped = false;

  async function insertUntilStopped() {
    while (!stopped) {
      const id = randomUUID();
      const { error } = await client
        .from("testimonials")
        .insert({ id, name: "Kill test", content: "Still here?", rating: 5 });
      if (error) return;
      acknowledged.push(id);
    }
  }
  const writers = [insertUntilStopped(), insertUntilStopped(), insertUntilStopped()];
  await expect.poll(() => acknowledged.length, { timeout: 15_000 }).toBeGreaterThan(100);
  if (databaseToo) process.kill(await postgresPid(), "SIGKILL");
  running.kill("SIGKILL");
  stopped = true;
  await Promise.all(writers);

  running = await startSite(port);
  const kept = new Set<string>();
  for (let offset = 0; ; offset += 1000) {
    const { data } = await client
      .from("testimonials")
      .select("id")
      .eq("name", "Kill test")
      .order("id")
      .range(offset, offset + 999);
    for (const { id } of data ?? []) kept.add(id);
    if (!data || data.length < 1000) break;
  }
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});
