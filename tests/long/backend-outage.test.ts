// A hosted project that is unreachable or slow: the site serves cached pages, or pages with what it
// can show without the project, and every response arrives within a few seconds.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Fault, startFaultyProxy } from "../faulty-proxy.ts";
import { setUpProject } from "../start-project.ts";
import { startNewSite, stopSite } from "../start-site.ts";

const faults: Fault[] = ["drops", "delays", "errors", "cuts"];
const lack = "The articles can&#x27;t be shown right now.";

const { project, visitor } = await setUpProject();
const proxy = await startFaultyProxy(project.url);
const environment = { SUPABASE_URL: proxy.url, SUPABASE_ANON_KEY: project.anonKey };
const site = await startNewSite(environment, { prepare: null });
const posts = visitor.from("posts").select("slug, title").order("created_at", { ascending: false });
const { data: newest } = await posts.throwOnError();

afterAll(async () => {
  await site.stop();
  await proxy.stop();
});

const visit = (path: string) => fetch(site.url + path, { redirect: "manual" });
const cacheStatusOf = async (path: string) => (await visit(path)).headers.get("cache-status");

/** Resolves when the Realtime subscription is active and cached pages are fresh again. */
async function endOutage(): Promise<void> {
  proxy.break(null);
  // `expect.poll` does not work in hooks.
  await vi.waitFor(async () => {
    const ready = await (await visit("/healthz/ready")).json();
    expect(ready).toMatchObject({ status: "ok", realtime: "connected" });
    expect(await cacheStatusOf("/blog")).toBe("site; hit");
  }, timeout);
}
const timeout = { timeout: 25_000, interval: 200 };

describe.each(faults)("a project that %s", (fault) => {
  beforeAll(async () => {
    await endOutage();
    proxy.break(fault);
  });

  test("leaves cached pages served and marked as stale", async () => {
    await expect
      .poll(() => cacheStatusOf("/blog"), timeout)
      .toMatch(/^site; hit; ttl=-\d+; detail=backend-unavailable$/);
    const response = await visit("/blog");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(newest[0]?.title);
  });

  test("leaves an uncached page that shows what it can and offers a retry", async () => {
    const list = await visit("/blog?page=77");
    expect(list.status).toBe(200);
    const html = await list.text();
    expect(html).toContain(lack);
    expect(html).toContain("Try again");
    expect(list.headers.get("cache-control")).toBe("private, no-cache");

    const post = await visit(`/blog/${newest[faults.indexOf(fault)]?.slug}`);
    expect(post.status).toBe(503);
    expect(post.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await post.text()).toContain("Try again");

    const services = await visit("/services");
    expect(services.status).toBe(200);
    expect(await services.text()).toContain("My Services");
  });

  test("leaves the site live but not ready", async () => {
    await expect.poll(async () => (await visit("/healthz/ready")).status, timeout).toBe(503);
    expect((await visit("/healthz/live")).status).toBe(200);
    expect((await visit("/healthz")).status).toBe(200);
  });
});

test("a change made during an outage is shown when it is over", async () => {
  await endOutage();
  await visit("/testimonials");
  proxy.break("drops");
  const name = `Outage ${randomUUID()}`;
  const { error } = await visitor
    .from("testimonials")
    .insert({ name, content: "Written while the way was broken.", rating: 5 });
  expect(error).toBeNull();
  expect(await (await visit("/testimonials")).text()).not.toContain(name);
  proxy.break(null);
  await expect.poll(async () => (await visit("/testimonials")).text(), timeout).toContain(name);
});

test("many requests during an outage cause one backend attempt per page", async () => {
  await endOutage();
  proxy.break("delays");
  const before = proxy.count;
  const responses = await Promise.all(Array.from({ length: 50 }, () => visit("/blog?page=78")));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  // One request is the page's. The others belong to the subscription and the readiness check.
  expect(proxy.count - before).toBeLessThan(10);
});

test("the site stops cleanly during an outage", async () => {
  proxy.break("delays");
  expect(await stopSite(site.process)).toBe(0);
});
