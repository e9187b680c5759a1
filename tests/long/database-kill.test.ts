// PostgreSQL is killed under a running site.
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_FAILURES } from "../../backend/postgres/supervisor.ts";
import { copyPreparedDataDir } from "../prepared-data-dir.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { killPostgres, postgresPid } from "./postgres-processes.ts";
import { readReviewIds } from "./stored-reviews.ts";

/** More than the failures in a row after which the supervisor gives up: each restart must reset their count. */
const rounds = MAX_FAILURES + 2;
/** Timeout in milliseconds of every request, whatever happens to the database. */
const longestResponse = 15_000;
/** Pause between a visitor's requests: normal traffic, not a flood. */
const pause = 25;
const longTimeout = { timeout: 60_000 };

let dataDir: string;
let url: string;
let anonKey: string;
let site: Awaited<ReturnType<typeof startSite>>;

beforeAll(async () => {
  const folder = await createTemporaryFolder("database-kill");
  dataDir = join(folder, "data");
  await copyPreparedDataDir(dataDir);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  site = await startSite(port, { DATA_DIR: dataDir, RATE_LIMITS: "off" });
  anonKey = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8")).publishableKey;
});

afterAll(async () => {
  await stopSite(site);
  await rm(join(dataDir, ".."), { recursive: true, force: true });
});

function openClient() {
  return createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { reconnectAfterMs: () => 100 },
    global: {
      fetch: (input, init) =>
        fetch(input, { ...init, signal: AbortSignal.timeout(longestResponse) }),
    },
  });
}

/** Every path from a visitor to the database. */
const paths: [string, string, RequestInit][] = [
  ["REST", "/rest/v1/posts?select=id&limit=1", {}],
  [
    "Auth",
    "/auth/v1/token?grant_type=password",
    { method: "POST", body: JSON.stringify({ email: "nobody@example.com", password: "wrong" }) },
  ],
  ["Storage", "/storage/v1/object/public/images/public/none.png", {}],
  [
    "Functions",
    "/functions/v1/send-email",
    {
      method: "POST",
      body: JSON.stringify({
        name: "Kill test",
        email: "visitor@example.com",
        message: "Is anyone there?",
      }),
    },
  ],
];

test(`kill -9 of PostgreSQL during inserts, ${rounds} times: no acknowledged row is lost`, {
  timeout: 600_000,
}, async () => {
  const client = openClient();
  const acknowledged: string[] = [];
  const unexpected: string[] = [];
  const rejections = new Map<string, number>();
  const events = new Set<string>();
  let stopped = false;
  let lastFailure = performance.now();

  async function insertUntilStopped() {
    while (!stopped) {
      const id = randomUUID();
      const { error, status } = await client
        .from("testimonials")
        .insert({ id, name: "Kill test", content: "Still here?", rating: 5 });
      if (!error) acknowledged.push(id);
      else if (status !== 503) unexpected.push(`insert: ${status} ${JSON.stringify(error)}`);
      if (!error) continue;
      lastFailure = performance.now();
      await setTimeout(pause);
    }
  }

  async function requestUntilStopped([name, path, init]: (typeof paths)[number]) {
    const headers = { apikey: anonKey, "content-type": "application/json" };
    while (!stopped) {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers,
        signal: AbortSignal.timeout(longestResponse),
      });
      const body = await response.text();
      await setTimeout(pause);
      if (response.status < 500) continue;
      const hasAdvice = Number(response.headers.get("retry-after")) > 0;
      if (response.status === 503 && hasAdvice && /"(message|error)":"\w/.test(body)) {
        rejections.set(name, (rejections.get(name) ?? 0) + 1);
      } else {
        unexpected.push(`${name}: ${response.status} ${body}`);
      }
    }
  }

  const channel = client
    .channel("reviews")
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table: "testimonials" },
      ({ new: row }) => "id" in row && events.add(row.id),
    )
    .subscribe();
  const workers = [1, 2, 3].map(insertUntilStopped).concat(paths.map(requestUntilStopped));

  try {
    let killed = 0;
    for (let round = 0; round < rounds; round += 1) {
      // A response in flight at the kill says nothing about the next one.
      await expect.poll(() => ![0, killed].includes(postgresPid(dataDir)), longTimeout).toBe(true);
      const before = acknowledged.length;
      // Long enough for the supervisor to count the start as successful.
      await expect
        .poll(
          () => acknowledged.length > before && performance.now() - lastFailure > 1_500,
          longTimeout,
        )
        .toBe(true);
      // A row written after the last kill arrives, so Realtime works again.
      await expect
        .poll(() => acknowledged.slice(before).some((id) => events.has(id)), longTimeout)
        .toBe(true);
      killed = killPostgres(dataDir);
    }
    await expect
      .poll(async () => (await client.from("posts").select("id")).error, longTimeout)
      .toBe(null);
  } finally {
    stopped = true;
  }
  await Promise.all(workers);
  await client.removeChannel(channel);

  expect(unexpected).toEqual([]);
  expect([...rejections.keys()].sort()).toEqual(paths.map(([name]) => name).sort());
  expect(site.exitCode).toBe(null);
  const stored = await readReviewIds(client, "Kill test");
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});
