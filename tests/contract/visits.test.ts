// Two sites on one project count the pages that they serve. Other clients cannot add counts.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openClient, setUpProject } from "../start-project.ts";
import { startNewSite } from "../start-site.ts";

const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const timeZone = "America/Los_Angeles";
/** Another day after midnight, so a test that needs one day calls it once. */
const today = () => new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone }).format();

const { project, sql, owner } = await setUpProject();
let key = await createKey();

async function createKey(): Promise<string> {
  const { data, error } = await owner.rpc("create_site_key");
  if (error) throw error;
  return data;
}

/** Adds counts with the public key, as any visitor could. */
async function add(visits: object[], { siteKey = key, day = today() } = {}) {
  const call = { site_key: siteKey, day, visits: JSON.stringify(visits) };
  return (await openClient(project).rpc("add_visits", call)).error;
}

async function countOf(path: string): Promise<number | undefined> {
  const { data } = await owner.from("visit_counts").select("*").eq("key", path).throwOnError();
  return data.length > 0 ? data.reduce((sum, { count }) => sum + count, 0) : undefined;
}

function newCount(count = 1) {
  return { kind: "page" as const, key: `/blog/${randomUUID()}`, count };
}

test("two sites count every page of the sitemap that people report, and store it when they stop", {
  tags: "long",
}, async () => {
  const keys = { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey, SITE_KEY: key };
  const sites = await Promise.all([1, 2].map(() => startNewSite(keys, { prepare: null })));
  // As app/visits/visit-count.ts reports a page.
  const visit = async (url: string, init: RequestInit = {}) => {
    const headers = { "user-agent": browser, ...init.headers };
    await (await fetch(url, { method: "HEAD", redirect: "manual", ...init, headers })).text();
  };
  const [first, second] = sites.map(({ url }) => url);
  const began = today();
  const sitemap = await (await fetch(`${first}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>[^<]*?:\d+(\/[^<]*)<\/loc>/g)].map(
    ([, path = ""]) => path,
  );
  expect(pages).toContain("/services/estate-planning");
  for (const page of pages) await visit(`${first}${page}?from=/`);
  await visit(`${first}/?from=${encodeURIComponent("https://www.search.example/?q=x")}`);
  await visit(`${second}/?from=`);
  await visit(`${second}/savings-calculator?used=coverage`);
  // server/visits/visit-request.test.ts has what does not count.
  await visit(`${second}/blog/no-such-post?from=/`);
  await visit(`${second}/services/no-such-service?from=/`);
  await Promise.all(sites.map(({ stop }) => stop()));

  const { data } = await owner.from("visit_counts").select("*").throwOnError();
  const counts: Record<string, number> = {};
  for (const { day, kind, key, count } of data) {
    expect([began, today()]).toContain(day);
    // A site that ran for ten seconds has marked its start.
    if (kind === "start") continue;
    const name = `${kind} ${key}`;
    counts[name] = (counts[name] ?? 0) + count;
  }
  expect(counts).toEqual({
    ...Object.fromEntries(pages.map((page) => [`page ${page}`, 1])),
    "page /": 3,
    "referrer search.example": 1,
    "referrer direct": 1,
    "calculator coverage": 1,
  });
});

test("a new key replaces the old one, which adds nothing more", async () => {
  const visit = newCount();
  const old = key;
  key = await createKey();
  expect(await add([visit], { siteKey: old })).toMatchObject({ code: "42501" });
  expect(await countOf(visit.key)).toBeUndefined();
  expect(await add([visit])).toBeNull();
  expect(await countOf(visit.key)).toBe(1);
  const stored = await sql`select encode(hash, 'hex') as hash from private.site_key`;
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(key);
});

test("counts are added up per day and kept for 180 days", async () => {
  const [old, kept] = ["/blog/too-old", "/blog/kept"];
  await sql`
    insert into public.visit_counts (day, kind, key, count)
    values (current_date - 181, 'page', ${old}, 1), (current_date - 180, 'page', ${kept}, 1)`;
  const visit = newCount(2);
  expect(await add([visit])).toBeNull();
  await project.backend?.storeVisits(today(), [{ ...visit, count: 3 }]);
  expect(await countOf(visit.key)).toBe(5);
  expect(await countOf(old)).toBeUndefined();
  expect(await countOf(kept)).toBe(1);
});

test("a day takes no more keys of a kind than one request brings above 1,000", async () => {
  const hosts = (prefix: string, length: number) =>
    Array.from({ length }, (_, at) => ({
      kind: "referrer",
      key: `${prefix}${at}.example`,
      count: 1,
    }));
  const day = today();
  for (const prefix of ["a", "b", "c", "d"]) await add(hosts(prefix, 3000), { day });
  const page = newCount();
  await add([...hosts("a", 1), ...hosts("e", 1), page], { day });
  const [{ keys } = {}] = await sql`
    select count(*)::int as keys from public.visit_counts where kind = 'referrer' and day = ${day}`;
  expect(keys).toBeLessThanOrEqual(2000);
  expect(await countOf("a0.example")).toBe(2);
  expect(await countOf("e0.example")).toBeUndefined();
  expect(await countOf(page.key)).toBe(1);
});

test("two processes that add the same keys in another order do not deadlock", async () => {
  const visits = Array.from({ length: 200 }, () => newCount());
  const errors = await Promise.all(
    Array.from({ length: 8 }, (_, index) => add(index % 2 ? visits : visits.toReversed())),
  );
  expect(errors).toEqual(errors.map(() => null));
  for (const { key } of visits.slice(0, 3)) expect(await countOf(key)).toBe(8);
});

test.each([
  ["another kind", { kind: "address" }],
  ["a long key", { key: `/${"a".repeat(700)}` }],
  ["a key with a line break", { key: "/a\n/b" }],
  ["a negative count", { count: -5 }],
])("the database rejects %s", async (_what, wrong) => {
  const visit = newCount();
  expect(await add([visit, { ...newCount(), ...wrong }])).toMatchObject({ code: "23514" });
  expect(await countOf(visit.key)).toBeUndefined();
});

test("the summary has every day of the period and of the one before, and what was visited most", async () => {
  await sql`delete from public.visit_counts`;
  await sql`delete from public.contact_messages`;
  await sql`delete from public.testimonials`;
  const pages = Array.from({ length: 12 }, (_, index) => ({
    ...newCount(100 + index),
    key: `/services/${index}`,
  }));
  const referrer = { kind: "referrer", key: "search.example", count: 4 };
  const day = today();
  const daysAgo = (days: number) =>
    new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
  await add([...pages, referrer, { kind: "start", key: "site", count: 1 }], { day });
  await add([{ ...referrer, count: 3 }], { day: daysAgo(30) });
  await add([newCount()], { day: daysAgo(60) });
  // The last second of yesterday and the first of today in Los Angeles.
  for (const seconds of [-1, 0]) {
    await sql`
      insert into public.contact_messages (name, email, message, created_at)
      values ('Ada', 'ada@example.com', 'Ten letters',
        ${day}::timestamp at time zone ${timeZone} + make_interval(secs => ${seconds}))`;
  }
  await sql`insert into public.contact_messages (name, email, message, spam_at)
    values ('Robot', 'robot@example.com', 'Ten letters', now())`;
  await sql`insert into public.testimonials (name, content, rating) values ('Ada', 'Kind.', 5)`;

  const { began, days, top } = await summarize();
  expect(began).toBe(daysAgo(60));
  expect(days).toHaveLength(60);
  const none = { visits: 0, pages: 0, messages: 0, testimonials: 0 };
  const at = days.findIndex((each) => each.day === day);
  // The last one, unless midnight has just passed.
  expect([58, 59]).toContain(at);
  expect(days[at]).toMatchObject({ visits: 4, pages: 1266, messages: 1 });
  expect(days[at - 1]).toMatchObject({ ...none, messages: 1 });
  expect(days[at - 30]).toEqual({ ...none, day: daysAgo(30), visits: 3 });
  expect(days.at(-1)).toMatchObject({ testimonials: 1 });
  expect(top.map(({ count }) => count)).toEqual([
    ...[111, 110, 109, 108, 107, 106, 105, 104, 103, 102],
    4,
  ]);
  expect(top.at(-1)).toEqual({ ...referrer, title: null, before: 3 });

  const wrongZone = await owner.rpc("visit_summary", { day_count: 30, time_zone: "Nowhere" });
  expect(wrongZone.error).toMatchObject({ code: "22023" });
  const longest = await owner.rpc("visit_summary", { day_count: 1e9, time_zone: timeZone });
  expect(JSON.stringify(longest.data).match(/"day"/g)).toHaveLength(180);
});

test("a post has its current title and the counts of its former slugs, until it is deleted", async () => {
  await sql`delete from public.visit_counts`;
  const [slug, renamed] = [randomUUID(), randomUUID()];
  const post = { slug, title: "Old title", category: "Taxes", author: "Ada", content: [] };
  const { data } = await owner.from("posts").insert(post).select("id").single().throwOnError();
  const { id } = data;
  await owner
    .from("posts")
    .update({ slug: renamed, title: "New title" })
    .eq("id", id)
    .throwOnError();
  await add([slug, renamed].map((key) => ({ ...newCount(2), key: `/blog/${key}` })));
  await add([{ ...newCount(9), key: "/blog/category/taxes" }]);
  expect((await summarize()).top).toEqual([
    { kind: "page", key: "/blog/category/taxes", title: null, count: 9, before: 0 },
    { kind: "post", key: `/blog/${renamed}`, title: "New title", count: 4, before: 0 },
  ]);
  await owner.from("posts").delete().eq("id", id).throwOnError();
  const posts = (await summarize()).top.filter(({ kind }) => kind === "post");
  expect(posts.map(({ title, count }) => [title, count])).toEqual([
    [null, 2],
    [null, 2],
  ]);
});

async function summarize() {
  const { data } = await owner
    .rpc("visit_summary", { day_count: 30, time_zone: timeZone })
    .throwOnError();
  return data as unknown as {
    began: string;
    days: { day: string }[];
    top: { kind: string; key: string; title: string | null; count: number }[];
  };
}
