// A hosted project that can't be reached, or only slowly: pages come from memory or with what they can
// show without it, and nobody waits longer than a few seconds.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import freePort from "get-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../faulty-proxy.ts";
import { openClient, type Project, startProject } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";

const faults: Fault[] = ["drops", "delays", "errors", "cuts"];
const lack = "The articles can&#x27;t be shown right now.";

let project: Project;
let proxy: FaultyProxy;
let site: ChildProcess;
let siteUrl: string;
let slugs: string[];
let newestTitle: string;

beforeAll(async () => {
  project = await startProject();
  proxy = await startFaultyProxy(project.url);
  const port = await freePort();
  siteUrl = `http://127.0.0.1:${port}`;
  site = await startSite(port, { SUPABASE_URL: proxy.url, SUPABASE_ANON_KEY: project.anonKey });
  const { data } = await openClient(project)
    .from("posts")
    .select("slug, title")
    .order("created_at", { ascending: false });
  slugs = (data ?? []).map(({ slug }) => slug);
  newestTitle = data?.[0]?.title ?? "";
});

afterAll(async () => {
  await stopSite(site);
  await proxy.stop();
  await project.stop();
});

const visit = (path: string) => fetch(siteUrl + path, { redirect: "manual" });
const cacheStatusOf = async (path: string) => (await visit(path)).headers.get("cache-status");

/** The subscription stands again, and what is kept is no longer doubted. */
async function mended(): Promise<void> {
  proxy.break(null);
  await expect
    .poll(async () => (await visit("/healthz/ready")).json(), patience)
    .toEqual({ status: "ok", realtime: "connected" });
  await expect.poll(() => cacheStatusOf("/blog"), patience).toBe("site; hit");
}
const patience = { timeout: 25_000, interval: 200 };

for (const [index, fault] of faults.entries()) {
  test(`a project that ${fault}: what was seen before is still shown, and says that it is old`, async () => {
    await mended();
    proxy.break(fault);
    await expect
      .poll(() => cacheStatusOf("/blog"), patience)
      .toMatch(/^site; hit; ttl=-\d+; detail=backend-unavailable$/);
    const answer = await visit("/blog");
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(newestTitle);
  });

  test(`a project that ${fault}: a page nobody saw shows what it can, and how to try again`, async () => {
    await mended();
    proxy.break(fault);
    const list = await visit("/blog?page=77");
    expect(list.status).toBe(200);
    const html = await list.text();
    expect(html).toContain(lack);
    expect(html).toContain("Try again");
    expect(list.headers.get("cache-control")).toBe("private, no-cache");

    const post = await visit(`/blog/${slugs[index]}`);
    expect(post.status).toBe(503);
    expect(post.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await post.text()).toContain("Try again");

    const services = await visit("/services");
    expect(services.status).toBe(200);
    expect(services.headers.get("cache-status")).not.toContain("unavailable");
  });

  test(`a project that ${fault}: the site lives, but is not ready`, async () => {
    await mended();
    proxy.break(fault);
    await expect.poll(async () => (await visit("/healthz/ready")).status, patience).toBe(503);
    expect((await visit("/healthz/live")).status).toBe(200);
    expect((await visit("/healthz")).status).toBe(200);
  });
}

test("what is changed during an outage is shown when it is over", async () => {
  await mended();
  await visit("/testimonials");
  proxy.break("drops");
  const name = `Outage ${randomUUID()}`;
  const { error } = await openClient(project)
    .from("testimonials")
    .insert({ name, content: "Written while the way was broken.", rating: 5 });
  expect(error).toBeNull();
  expect(await (await visit("/testimonials")).text()).not.toContain(name);
  proxy.break(null);
  await expect.poll(async () => (await visit("/testimonials")).text(), patience).toContain(name);
});

test("a crowd before a broken backend costs one attempt a page", async () => {
  await mended();
  proxy.break("delays");
  const before = proxy.count;
  const answers = await Promise.all(Array.from({ length: 50 }, () => visit("/blog?page=78")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // One for the page; the others are the subscription's and the readiness check's.
  expect(proxy.count - before).toBeLessThan(10);
});

test("it stops cleanly in the middle of an outage", async () => {
  proxy.break("delays");
  expect(await stopSite(site)).toBe(0);
});
