// The site and its database are killed during inserts: no acknowledged row is lost.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { MAX_FAILURES } from "embedded-supabase/postgres/supervisor.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type NewSite, startNewSite } from "../start-site.ts";

/** More kills than failures in a row after which the supervisor gives up: each restart must reset its count. */
const rounds = MAX_FAILURES + 2;
/** Timeout in milliseconds of every request, whatever happens to the database. */
const longestResponse = 15_000;
/** Pause between a visitor's requests: normal traffic, not a flood. */
const pause = 25;
const longTimeout = { timeout: 60_000 };

let site: NewSite;
let client: SupabaseClient;

beforeEach(async () => {
  site = await startNewSite();
  client = createClient(site.url, site.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { reconnectAfterMs: () => 100 },
    global: {
      fetch: (input, init) =>
        fetch(input, { ...init, signal: AbortSignal.timeout(longestResponse) }),
    },
  });
});

afterEach(() => site.stop());

function insertReview(id: string) {
  return client
    .from("testimonials")
    .insert({ id, name: "Kill test", content: "Still here?", rating: 5 });
}

/** The reviews that are not stored. */
async function findMissing(ids: readonly string[]): Promise<string[]> {
  const stored = new Set<string>();
  for (let offset = 0; ; offset += 1000) {
    const query = client.from("testimonials").select("id").eq("name", "Kill test").order("id");
    const { data } = await query.range(offset, offset + 999).throwOnError();
    for (const { id } of data) stored.add(id);
    if (data.length < 1000) return ids.filter((id) => !stored.has(id));
  }
}

/** The process id of the PostgreSQL that runs on the site's data, or ran last; 0 when unknown. */
function postgresPid(): number {
  const file = join(site.dataDir, "postgres/postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
}

/** Sends SIGKILL to PostgreSQL and all of its processes. @returns its process id. */
function killPostgres(): number {
  const pid = postgresPid();
  // Each child leads its own process group, so no single group id covers all.
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isChild(name, pid));
  process.kill(pid, "SIGKILL");
  for (const child of children) {
    try {
      process.kill(Number(child), "SIGKILL");
    } catch {
      // The process has exited already.
    }
  }
  return pid;
}

function isChild(pid: string, parent: number): boolean {
  try {
    // The process name before it is in parentheses and may contain any character.
    const [, id] = readFileSync(`/proc/${pid}/stat`, "utf8").match(/\) \S (\d+)/) ?? [];
    return Number(id) === parent;
  } catch {
    return false;
  }
}

test.each([
  ["the site alone", false],
  ["the site and its PostgreSQL", true],
])("kill -9 of %s during inserts loses no acknowledged row", async (_, databaseToo) => {
  const acknowledged: string[] = [];
  async function insertUntilStopped() {
    for (;;) {
      const id = randomUUID();
      if ((await insertReview(id)).error) return;
      acknowledged.push(id);
    }
  }
  const writers = [1, 2, 3].map(insertUntilStopped);
  await expect.poll(() => acknowledged.length, { timeout: 15_000 }).toBeGreaterThan(100);
  if (databaseToo) killPostgres();
  site.process.kill("SIGKILL");
  await Promise.all(writers);

  await site.start();
  expect(await findMissing(acknowledged)).toEqual([]);
});

/** Every path from a visitor to the database. */
const paths: [string, string, object | null][] = [
  ["REST", "/rest/v1/posts?select=id&limit=1", null],
  [
    "Auth",
    "/auth/v1/token?grant_type=password",
    { email: "nobody@example.com", password: "wrong" },
  ],
  ["Storage", "/storage/v1/object/public/images/public/none.png", null],
  [
    "Functions",
    "/functions/v1/send-email",
    { name: "Kill test", email: "visitor@example.com", message: "Is anyone there?" },
  ],
];

test(`kill -9 of PostgreSQL during inserts, ${rounds} times: no acknowledged row is lost`, {
  timeout: 600_000,
}, async () => {
  const acknowledged: string[] = [];
  const unexpected: string[] = [];
  const rejected = new Set<string>();
  const events = new Set<string>();
  let stopped = false;
  let lastFailure = performance.now();

  async function insertUntilStopped() {
    while (!stopped) {
      const id = randomUUID();
      const { error, status } = await insertReview(id);
      if (!error) acknowledged.push(id);
      else if (status !== 503) unexpected.push(`insert: ${status} ${JSON.stringify(error)}`);
      if (!error) continue;
      lastFailure = performance.now();
      await setTimeout(pause);
    }
  }

  async function requestUntilStopped([name, path, message]: (typeof paths)[number]) {
    while (!stopped) {
      const response = await fetch(site.url + path, {
        headers: { apikey: site.anonKey, "content-type": "application/json" },
        signal: AbortSignal.timeout(longestResponse),
        ...(message && { method: "POST", body: JSON.stringify(message) }),
      });
      const body = await response.text();
      await setTimeout(pause);
      if (response.status < 500) continue;
      const hasAdvice = Number(response.headers.get("retry-after")) > 0;
      if (response.status === 503 && hasAdvice && /"(message|error)":"\w/.test(body)) {
        rejected.add(name);
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
      await expect.poll(() => ![0, killed].includes(postgresPid()), longTimeout).toBe(true);
      const before = acknowledged.length;
      // Waits until the supervisor has counted the start as successful.
      await expect
        .poll(
          () => acknowledged.length > before && performance.now() - lastFailure > 1_500,
          longTimeout,
        )
        .toBe(true);
      // Realtime works again when a row written after the last kill arrives.
      await expect
        .poll(() => acknowledged.slice(before).some((id) => events.has(id)), longTimeout)
        .toBe(true);
      killed = killPostgres();
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
  expect([...rejected].sort()).toEqual(paths.map(([name]) => name).sort());
  expect(site.process.exitCode).toBe(null);
  expect(await findMissing(acknowledged)).toEqual([]);
});
