// Small requests that could block the database or the process for seconds. The grammar
// (packages/embedded-supabase/src/rest/rest-request.test.ts) rejects most of them; others are cancelled at their timeout or when the client
// disconnects.
import { format } from "node:util";
import { expect, test, vi } from "vitest";
import { openClient, setUpProject } from "../start-project.ts";

const { project, sql, visitor, owner, admin } = await setUpProject({ rateLimits: true });
// The library reads the catalog at the first request, so send one before the tests take locks.
await get("testimonials?select=id&limit=1");

function get(target: string, signal?: AbortSignal) {
  const headers = { apikey: project.anonKey };
  return fetch(`${project.url}/rest/v1/${target}`, { headers, signal });
}

async function queriesRun(): Promise<number> {
  const [row] = await sql<{ xacts: number }[]>`
    select (xact_commit + xact_rollback)::int as xacts from pg_stat_database
    where datname = current_database()`;
  return row?.xacts ?? 0;
}

test.each<[who: string, client: typeof visitor]>([
  ["anon", visitor],
  ["owner", owner],
  ["service role", admin],
])(
  "a statement of the %s ends after three seconds, on whichever connection it runs",
  async (_who, client) => {
    await whileTestimonialsAreLocked(async () => {
      // These are more requests than can run at once, so they use several connections, each with the timeout.
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => client.from("testimonials").select("id").limit(1)),
      );
      const codes = responses.map(({ error }) => error?.code);
      const cancelled = codes.filter((code) => code === "57014");
      expect(cancelled.length).toBeGreaterThanOrEqual(4);
      const rejected = codes.filter((code) => code === "over_request_rate_limit");
      expect(cancelled.length + rejected.length).toBe(6);
    });
  },
);

test("the statement of a client that disconnects is cancelled before its timeout, without a log line", async () => {
  const logged = vi.spyOn(console, "error");
  // Repeats a round that took longer than the timeout, as on a busy machine: it proves nothing.
  await expect
    .poll(() => whileTestimonialsAreLocked(timeCancellation), { timeout: 40_000 })
    .toBeLessThan(2_900);
  expect((await get("testimonials?select=id&limit=1")).status).toBe(200);
  expect(logged.mock.calls.map((values) => format(...values)).join("")).toBe("");
  logged.mockRestore();
});

/** Starts four reads and disconnects. @returns milliseconds until none of their statements waits */
async function timeCancellation(): Promise<number> {
  const client = new AbortController();
  const began = performance.now();
  const reads = Array.from({ length: 4 }, () =>
    get("testimonials?select=id", client.signal).catch(() => "disconnected"),
  );
  await expect.poll(waitingStatements).toBe(4);
  client.abort();
  expect(await Promise.all(reads)).toEqual(Array(4).fill("disconnected"));
  await expect.poll(waitingStatements).toBe(0);
  return performance.now() - began;
}

test("one visitor's slow reads leave connections for others, and too many are rejected", async () => {
  await whileTestimonialsAreLocked(async () => {
    const one = { apikey: project.anonKey, "x-test-address": "203.0.113.1" };
    const slow = Array.from({ length: 60 }, () =>
      fetch(`${project.url}/rest/v1/testimonials?select=id`, { headers: one }),
    );
    const rejected = await Promise.race(slow);
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get("retry-after")).toBe("1");
    expect(await waitingStatements()).toBeLessThanOrEqual(4);

    const other = openClient(project, "203.0.113.2");
    expect((await other.from("posts").select("id").limit(1)).error).toBeNull();
    expect((await other.auth.signInWithPassword(project.owner)).error).toBeNull();
    // The other requests completed while the first visitor's reads still waited.
    expect(await waitingStatements()).toBeGreaterThan(0);
    await Promise.all(slow);
  });
});

async function whileTestimonialsAreLocked<T>(work: () => Promise<T>): Promise<T> {
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const lock = sql.begin(async (transaction) => {
    await transaction`lock table public.testimonials in access exclusive mode`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  try {
    return await work();
  } finally {
    release.resolve();
    await lock;
  }
}

async function waitingStatements(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%testimonials%'`;
  return row?.count ?? 0;
}

test("requests that the grammar rejects never reach the database", async () => {
  await sql`select pg_stat_force_next_flush()`;
  const before = await queriesRun();
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => (await get("posts?title=match.(a%2B)%2B$")).status),
  );
  expect(new Set(statuses)).toEqual(new Set([400]));
  await sql`select pg_stat_force_next_flush()`;
  expect((await queriesRun()) - before).toBeLessThan(25);
});
