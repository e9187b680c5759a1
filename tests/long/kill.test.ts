import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import freePort from "get-port";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyPreparedDataDir } from "../prepared-data-dir.ts";
import { openClient } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { readReviewIds } from "./stored-reviews.ts";

let dataDir: string;
let running: ChildProcess | undefined;

beforeEach(async () => {
  const folder = await createTemporaryFolder("kill");
  dataDir = join(folder, "data");
  await copyPreparedDataDir(dataDir);
});

afterEach(async () => {
  if (running) await stopSite(running);
  await rm(join(dataDir, ".."), { recursive: true, force: true });
});

async function postgresPid(): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}

test.each([
  ["the site alone", false],
  ["the site and its PostgreSQL", true],
])("kill -9 of %s during inserts loses no acknowledged row", async (_, databaseToo) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  running = await startSite(port, { DATA_DIR: dataDir });
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

  running = await startSite(port, { DATA_DIR: dataDir });
  const stored = await readReviewIds(client, "Kill test");
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});
