// With SUPABASE_URL and SUPABASE_ANON_KEY set, the same build uses that project. The embedded
// backend stands in for the project.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type ProxiedResponse, startFaultyProxy } from "../faulty-proxy.ts";
import { startRealtimeStandIn } from "../realtime-stand-in.ts";
import { openClient, setUpProject } from "../start-project.ts";
import { startNewSite, stopSite } from "../start-site.ts";

const { project, owner } = await setUpProject();
const environment = { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey };
const site = await startNewSite(environment, { prepare: null });
afterAll(site.stop);

test("pages show the project's posts and contain its address", async () => {
  const { data } = await openClient(project).from("posts").select("title").limit(1).single();
  const html = await (await fetch(`${site.url}/blog`)).text();
  expect(html).toContain(data?.title);
  expect(html).toContain(`<meta name="supabase-url" content="${project.url}"/>`);
});

test("no database is started and the site has no backend of its own", async () => {
  expect(existsSync(join(site.dataDir, "postgres"))).toBe(false);
  const response = await fetch(`${site.url}/rest/v1/posts`, {
    headers: { apikey: project.anonKey },
  });
  expect(response.status).toBe(404);
});

test("a change that a deaf Realtime does not send is shown by a cached page, and health says so", {
  tags: "long",
}, async () => {
  const realtime = await startRealtimeStandIn();
  let comparisons = 0;
  const record = (response: ProxiedResponse) => {
    if (response.path === "/rest/v1/rpc/table_states") comparisons++;
    return response;
  };
  const proxy = await startFaultyProxy(project.url, record, realtime.url);
  onTestFinished(proxy.stop);
  const others = { ...environment, SUPABASE_URL: proxy.url };
  const deafSite = await startNewSite(others, { prepare: null });
  onTestFinished(deafSite.stop);
  const blog = async () => (await fetch(`${deafSite.url}/blog`)).text();
  const health = async () => (await fetch(`${deafSite.url}/healthz/ready`)).json();
  await expect.poll(health).toMatchObject({ realtime: "connected", lastMissedAt: null });
  // A change before the first comparison of a connection does not count as missed.
  const before = comparisons;
  await expect.poll(() => comparisons, { timeout: 50_000 }).toBeGreaterThan(before);
  // Cached for five minutes from now on, unless a change is reported.
  await blog();
  const slug = `unheard-${randomUUID()}`;
  const post = { slug, title: "Unheard", category: "A", author: "A" };
  await owner.from("posts").insert(post).throwOnError();
  await expect.poll(blog, { timeout: 50_000, interval: 500 }).toContain(slug);
  await expect.poll(health, { timeout: 50_000, interval: 500 }).toMatchObject({
    ...{ realtime: "deaf", lastChange: null, lastMissedAt: expect.any(String) },
  });
  expect(realtime.joins.length).toBeGreaterThan(1);
});

test("the site stops cleanly on a signal", async () => {
  expect(await stopSite(site.process)).toBe(0);
});
