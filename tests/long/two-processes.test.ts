// Two site processes on one project: each shows changes that a visitor makes through the other.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { openClient, type Project, startProject } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";

let project: Project;
const sites: { url: string; process: ChildProcess }[] = [];

beforeAll(async () => {
  project = await startProject();
  for (let count = 0; count < 2; count++) {
    const port = await freePort();
    const environment = { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey };
    sites.push({
      url: `http://127.0.0.1:${port}`,
      process: await startSite(port, environment),
    });
  }
});

afterAll(async () => {
  await Promise.all(sites.map(({ process }) => stopSite(process)));
  await project.stop();
});

/** Shorter than the time for which pages are cached without a subscription. */
const soon = { timeout: 3000, interval: 50 };
const timeout = { timeout: 20_000, interval: 100 };

async function pages(path: string): Promise<string[]> {
  return Promise.all(sites.map(async ({ url }) => (await fetch(url + path)).text()));
}

/** Without an active subscription, pages expire every few seconds and the tests would prove nothing. */
async function cachedByBoth(path: string): Promise<void> {
  for (const { url } of sites) {
    await expect
      .poll(async () => (await fetch(`${url}/healthz/ready`)).json(), timeout)
      .toEqual({ status: "ok", realtime: "connected" });
    await expect
      .poll(async () => (await fetch(url + path)).headers.get("cache-status"), timeout)
      .toBe("site; hit");
  }
}

test("a review appears in the cached pages of both processes, and disappears once deleted", async () => {
  await cachedByBoth("/testimonials");
  await cachedByBoth("/");
  const id = randomUUID();
  const content = `Kept ${id}`;
  const review = { id, name: "Mara", content, rating: 5 };
  expect((await openClient(project).from("testimonials").insert(review)).error).toBeNull();
  for (const path of ["/testimonials", "/"]) {
    await expect
      .poll(async () => (await pages(path)).every((html) => html.includes(content)), soon)
      .toBe(true);
  }
  await cachedByBoth("/testimonials");

  const owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
  await owner.from("testimonials").delete().eq("id", id);
  await expect
    .poll(async () => (await pages("/testimonials")).some((html) => html.includes(content)), soon)
    .toBe(false);
});

test("an edited post changes its own page, the list and the feeds in both", async () => {
  const owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
  const { data: post } = await owner
    .from("posts")
    .select("id, slug, title")
    .order("created_at", { ascending: false })
    .limit(1)
    .single();
  if (!post) throw new Error("There is no post");
  const shownOn = [`/blog/${post.slug}`, "/blog", "/rss.xml", "/atom.xml"];
  for (const path of shownOn) await cachedByBoth(path);

  const title = `Edited ${randomUUID()}`;
  expect((await owner.from("posts").update({ title }).eq("id", post.id)).error).toBeNull();
  for (const path of shownOn) {
    await expect
      .poll(async () => (await pages(path)).every((text) => text.includes(title)), soon)
      .toBe(true);
  }
  await owner.from("posts").update({ title: post.title }).eq("id", post.id);
});
