import type { IncomingMessage } from "node:http";
import { type Acquire, currentVisitorAddress } from "embedded-supabase/rate-limits/shared-work.ts";
import { expect, test } from "vitest";
import type { BackendUse } from "../backend-fetch.ts";
import { onBehalfOfVisitor } from "../visitor-address.ts";
import { createPageCache } from "./page-cache.ts";
import type { Rendering } from "./page-renderer.ts";

const siteUrl = "https://www.example.com";

interface Setup {
  tables?: string[];
  isRealtimeConnected?: boolean;
  maxBytes?: number;
  acquire?: Acquire;
}

interface State {
  time: number;
  text: string;
  failed: boolean;
  day: { day: string; isLastDay: boolean };
  requests: Request[];
  /** While set, renderings wait for this promise. */
  gate: Promise<void> | null;
  respond: (() => Response) | null;
}

/** A cache with a fake clock, and a site that records its requests. */
function setUp({ tables = ["posts"], isRealtimeConnected = true, ...options }: Setup = {}) {
  const state: State = {
    time: 0,
    text: "first",
    failed: false,
    day: { day: "2026-11-25", isLastDay: false },
    requests: [],
    gate: null,
    respond: null,
  };
  const pages = createPageCache({
    siteUrl,
    watchedTables: ["posts", "testimonials"],
    now: () => state.time,
    day: () => state.day,
    log: () => {},
    ...options,
    async renderPage(request): Promise<Rendering> {
      state.requests.push(request);
      const use: BackendUse = { tables: new Set(tables), failed: state.failed };
      const { text } = state;
      await state.gate;
      const response =
        state.respond?.() ??
        new Response(text, {
          status: state.failed ? 503 : 200,
          headers: { "content-type": "text/html; charset=utf-8" },
        });
      return { response, use };
    },
  });
  pages.setRealtimeConnected(isRealtimeConnected);
  const get = (path: string, init?: RequestInit) =>
    pages.fetch(new Request(`http://evil.example${path}`, init));
  const textOf = async (path: string) => (await get(path)).text();
  const { find, invalidate, setRealtimeConnected, stop } = pages;
  return { find, invalidate, setRealtimeConnected, stop, state, get, textOf };
}

test("renders a page once and serves it from the cache", async () => {
  const { textOf, get, state, find } = setUp();
  expect(find("/blog")).toBeNull();
  expect(await textOf("/blog")).toBe("first");
  state.text = "not rendered";
  const second = await get("/blog");
  expect(await second.text()).toBe("first");
  expect(second.headers.get("cache-status")).toBe("site; hit");
  expect(second.headers.get("cache-control")).toContain("s-maxage=");
  expect(state.requests).toHaveLength(1);
});

test("concurrent requests share one rendering", async () => {
  const { textOf, state } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const answers = Array.from({ length: 20 }, () => textOf("/"));
  resolve();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["first"]));
  expect(state.requests).toHaveLength(1);
});

test("nothing of a request but its key reaches a cached rendering", async () => {
  const { get, state } = setUp();
  await get("/blog?utm_source=x", {
    headers: { "x-forwarded-host": "evil.example", cookie: "a=b", authorization: "Bearer x" },
  });
  expect(state.requests.map(({ url }) => url)).toEqual([`${siteUrl}/blog`]);
  expect([...(state.requests[0]?.headers ?? [])]).toEqual([]);
});

test("a thousand unknown parameters cause one rendering without any of them", async () => {
  const { get, find, state } = setUp();
  for (let number = 0; number < 1000; number++) {
    expect((await get(`/?x=${number}&y`)).headers.get("cache-control")).toContain("s-maxage=");
  }
  expect(state.requests.map(({ url }) => url)).toEqual([`${siteUrl}/`]);
  expect(find("/?another")).not.toBeNull();
});

test("POST is never cached", async () => {
  const { get, find, state } = setUp();
  const response = await get("/contact", { method: "POST", body: "name=A" });
  expect(response.headers.get("cache-control")).toBe("private, no-cache");
  expect(state.requests[0]?.method).toBe("POST");
  expect(find("/contact")).toBeNull();
});

test.each([
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "/blog" } })],
  ["a missing page", () => new Response("404", { status: 404 })],
  ["a page with a cookie", () => new Response("", { headers: { "set-cookie": "a=b" } })],
  ["a file whose route does not ask for caching", () => Response.json([])],
  [
    "a page with no-store",
    () =>
      new Response("", { headers: { "content-type": "text/html", "cache-control": "no-store" } }),
  ],
  [
    "a page that varies by language",
    () =>
      new Response("", {
        headers: { "content-type": "text/html", vary: "accept-encoding, accept-language" },
      }),
  ],
])("does not cache %s", async (_, respond) => {
  const { get, find, state } = setUp();
  state.respond = respond;
  const response = await get("/some");
  expect(response.status).toBe(respond().status);
  expect(response.headers.get("cache-control")).not.toContain("s-maxage");
  expect(find("/some")).toBeNull();
});

test("a redirect is rendered with the complete query", async () => {
  const { get, state } = setUp();
  state.respond = () => {
    const { search } = new URL(state.requests.at(-1)?.url ?? siteUrl);
    return new Response(null, { status: 301, headers: { location: `/blog/new${search}` } });
  };
  const response = await get("/blog/old?utm_source=mail");
  expect(response.headers.get("location")).toBe("/blog/new?utm_source=mail");
});

test("a missing page is rendered with the complete query, which may be the former address of a post", async () => {
  const { get, state } = setUp();
  state.respond = () => {
    const { search } = new URL(state.requests.at(-1)?.url ?? siteUrl);
    return search === "?id=5"
      ? new Response(null, { status: 301, headers: { location: "/blog/five" } })
      : new Response("404", { status: 404 });
  };
  expect((await get("/post.aspx?id=5")).headers.get("location")).toBe("/blog/five");
  expect((await get("/post.aspx?id=6")).status).toBe(404);
});

test("caches a route with s-maxage and keeps its Cache-Control", async () => {
  const { get, find, state } = setUp();
  const own = "public, max-age=300, s-maxage=300";
  state.respond = () =>
    new Response("<rss/>", {
      headers: { "content-type": "application/rss+xml", "cache-control": own },
    });
  await get("/rss.xml");
  expect(find("/rss.xml")?.cacheControl).toBe(own);
});

test("responds to HEAD, and with 304 to a matching ETag, from the same page", async () => {
  const { get } = setUp();
  const head = await get("/", { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe("5");
  expect(await head.text()).toBe("");
  const etag = head.headers.get("etag") ?? "";
  const again = await get("/", { headers: { "if-none-match": `"other", ${etag}` } });
  expect([again.status, again.headers.get("etag")]).toEqual([304, etag]);
  expect(await (await get("/")).text()).toBe("first");
});

test("after a change the next request waits for the new page", async () => {
  const { get, textOf, state, invalidate, find } = setUp();
  await textOf("/blog");
  state.text = "second";
  invalidate("posts");
  expect(find("/blog")).toBeNull();
  const response = await get("/blog");
  expect(await response.text()).toBe("second");
  expect(response.headers.get("cache-status")).toBe("site; fwd=stale; stored");
});

test("a change of another table does not invalidate a page", async () => {
  const { textOf, state, invalidate } = setUp({ tables: ["posts"] });
  await textOf("/blog");
  invalidate("testimonials");
  await textOf("/blog");
  expect(state.requests).toHaveLength(1);
});

test("a page that read an unwatched table is invalidated by every change", async () => {
  const { textOf, state, invalidate } = setUp({ tables: ["/rest/v1/rpc/newest"] });
  await textOf("/blog");
  state.text = "second";
  invalidate("testimonials");
  expect(await textOf("/blog")).toBe("second");
});

test("a rendering that started before a change is not served after it", async () => {
  const { textOf, state, invalidate } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const early = textOf("/blog");
  await expect.poll(() => state.requests.length).toBe(1);
  state.text = "second";
  invalidate("posts");
  const late = textOf("/blog");
  const later = textOf("/blog");
  resolve();
  expect(await early).toBe("first");
  expect(await late).toBe("second");
  expect(await later).toBe("second");
  expect(await textOf("/blog")).toBe("second");
  expect(state.requests).toHaveLength(2);
});

test("many changes queue one rendering, not one each", async () => {
  const { textOf, state, invalidate } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const answers = [textOf("/blog")];
  await expect.poll(() => state.requests.length).toBe(1);
  for (let n = 0; n < 50; n++) {
    invalidate("posts");
    answers.push(textOf("/blog"));
  }
  resolve();
  await Promise.all(answers);
  expect(state.requests.length).toBeLessThanOrEqual(3);
});

test("while changes pour in, a page is rendered once a second and is a second old at most", async () => {
  const { get, textOf, state, invalidate } = setUp();
  let oldest = 0;
  for (; state.time < 10_000; state.time += 10) {
    state.text = String(state.time);
    invalidate("posts");
    const response = await get("/blog");
    const age = state.time - Number(await response.text());
    oldest = Math.max(oldest, age);
    if (age === 0) continue;
    expect(response.headers.get("cache-control")).toContain("s-maxage=5");
    expect(response.headers.get("cache-status")).toBe("site; hit; ttl=-1; detail=changing");
  }
  // The first five changes are shown immediately.
  expect(state.requests.length).toBeLessThanOrEqual(10 + 5);
  expect(oldest).toBeLessThanOrEqual(1_000);
  state.time += 1_000;
  state.text = "last";
  expect(await textOf("/blog")).toBe("last");
});

test("requests that wait for a slow rendering while changes pour in share it", async () => {
  const { textOf, state, invalidate } = setUp();
  for (let n = 0; n < 20; n++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const answers = [textOf("/blog")];
    invalidate("posts");
    answers.push(textOf("/blog"));
    resolve();
    await Promise.all(answers);
  }
  expect(state.requests.length).toBeLessThanOrEqual(5);
});

test("after a change recently used pages are rendered in the background", async () => {
  const { textOf, state, invalidate, find } = setUp();
  await textOf("/blog");
  state.time = 1_000;
  state.text = "second";
  invalidate("posts");
  await expect.poll(() => find("/blog")?.page.body("identity").toString()).toBe("second");
});

test("a stop waits for the rendering in the background and starts no other", async () => {
  const { textOf, state, invalidate, stop } = setUp();
  for (const path of ["/", "/blog", "/contact"]) await textOf(path);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  state.time += 1001;
  invalidate("posts");
  await expect.poll(() => state.requests.length).toBe(4);
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  resolve();
  await stopping;
  await new Promise(setImmediate);
  expect(state.requests).toHaveLength(4);
});

test("without Realtime a page that shows rows expires after seconds", async () => {
  const { textOf, state } = setUp({ isRealtimeConnected: false });
  await textOf("/blog");
  state.text = "second";
  state.time = 4_000;
  expect(await textOf("/blog")).toBe("first");
  state.time = 6_000;
  expect(await textOf("/blog")).toBe("second");
});

test("a page without rows does not expire", async () => {
  const { textOf, state } = setUp({ tables: [], isRealtimeConnected: false });
  await textOf("/contact");
  state.time = 10_000_000;
  await textOf("/contact");
  expect(state.requests).toHaveLength(1);
});

test("when Realtime reconnects, pages that show rows are rendered again", async () => {
  const { textOf, state, setRealtimeConnected } = setUp({ isRealtimeConnected: false });
  await textOf("/blog");
  state.text = "second";
  setRealtimeConnected(true);
  expect(await textOf("/blog")).toBe("second");
});

test("an old page is served and rendered again in the background", async () => {
  const { textOf, state, find } = setUp();
  await textOf("/blog");
  state.text = "second";
  state.time = 301_000;
  expect(await textOf("/blog")).toBe("first");
  await expect.poll(() => find("/blog")?.page.body("identity").toString()).toBe("second");
});

test("during an outage serves the stale page and says so", async () => {
  const { get, state, setRealtimeConnected, find } = setUp();
  await get("/blog");
  state.failed = true;
  // Changes may have been missed.
  setRealtimeConnected(true);
  state.time = 7_000;
  const response = await get("/blog");
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("first");
  expect(response.headers.get("cache-status")).toBe(
    "site; hit; ttl=-7; detail=backend-unavailable",
  );
  expect(response.headers.get("cache-control")).toContain("s-maxage=5");
  // The next request does not wait for another attempt.
  expect(find("/blog")?.cacheStatus).toContain("backend-unavailable");
});

test("a page whose data was reported as changed is served for two seconds more at most", async () => {
  const { get, state, invalidate, textOf } = setUp();
  await get("/blog");
  state.failed = true;
  invalidate("posts");
  state.time = 1_900;
  expect(await textOf("/blog")).toBe("first");
  state.time = 2_100;
  expect((await get("/blog")).status).toBe(503);
  state.failed = false;
  state.text = "second";
  expect(await textOf("/blog")).toBe("second");
});

test("a page that changed too often is not served for more than two seconds after a change", async () => {
  const { get, state, invalidate, find } = setUp();
  for (let changes = 0; changes < 8; changes++) {
    await get("/blog");
    invalidate("posts");
  }
  expect(find("/blog")?.cacheStatus).toContain("detail=changing");
  state.time = 2_100;
  expect(find("/blog")).toBeNull();
});

test("a rendering without a slot is no failure: the next request tries at once", async () => {
  let hasSlot = true;
  const acquire = async () => (hasSlot ? () => {} : null);
  const { get, state, invalidate, textOf, find } = setUp({ acquire });
  await get("/blog");
  await get("/other");
  hasSlot = false;
  invalidate("posts");
  expect((await get("/blog")).headers.get("cache-status")).toContain("detail=busy");
  expect((await get("/new")).headers.get("retry-after")).toBe("2");
  state.time = 2_100;
  expect((await get("/blog")).status).toBe(503);
  hasSlot = true;
  state.text = "second";
  expect(await textOf("/blog")).toBe("second");
  expect(find("/other")).toBeNull();
});

test("a rendering that is skipped after a failed one gives its slot back", async () => {
  let taken = 0;
  const acquire = async () => {
    taken += 1;
    return () => {
      taken -= 1;
    };
  };
  const { get, state, setRealtimeConnected } = setUp({ acquire });
  await get("/blog");
  state.failed = true;
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  setRealtimeConnected(true);
  const first = get("/blog");
  // A change during the first rendering queues a second one.
  await expect.poll(() => state.requests.length).toBe(2);
  setRealtimeConnected(true);
  const second = get("/blog");
  gate.resolve();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  expect(state.requests).toHaveLength(2);
  expect(taken).toBe(0);
});

test("a page that is known is rendered for the site, another one in the turn of whoever waits for it", async () => {
  const turns: (string | null)[] = [];
  const acquire = async () => {
    turns.push(currentVisitorAddress());
    // Only this visitor gets a slot.
    return currentVisitorAddress() === "192.0.2.1" ? null : () => {};
  };
  const { get, invalidate } = setUp({ acquire });
  const as = (remoteAddress: string) =>
    // Only the address and the headers of the request are read.
    onBehalfOfVisitor({ headers: {}, socket: { remoteAddress } } as IncomingMessage, 0, () =>
      get("/blog"),
    );
  const responses = await Promise.all([as("192.0.2.1"), as("192.0.2.2")]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  invalidate("posts");
  expect((await as("192.0.2.1")).status).toBe(200);
  expect(turns).toEqual(["192.0.2.1", "192.0.2.2", null]);
});

test("the first successful rendering ends an outage", async () => {
  const { textOf, get, state, invalidate, find } = setUp();
  await textOf("/blog");
  state.failed = true;
  invalidate("posts");
  await get("/blog");
  state.failed = false;
  state.text = "second";
  state.time = 3_000;
  await get("/blog");
  await expect.poll(() => find("/blog")?.page.body("identity").toString()).toBe("second");
  expect(find("/blog")?.cacheStatus).toBe("site; hit");
});

test("a change that is reported during an outage ends it", async () => {
  const { textOf, get, state, invalidate } = setUp();
  await textOf("/blog");
  state.failed = true;
  invalidate("posts");
  await get("/blog");
  state.failed = false;
  state.text = "second";
  invalidate("posts");
  expect(await textOf("/blog")).toBe("second");
});

test("a page without its rows is served when nothing is cached, but not cached", async () => {
  const { get, state, find } = setUp();
  state.failed = true;
  state.respond = () => new Response("no posts now", { headers: { "content-type": "text/html" } });
  const response = await get("/blog");
  expect(await response.text()).toBe("no posts now");
  expect(response.headers.get("cache-control")).toBe("private, no-cache");
  expect(find("/blog")).toBeNull();
});

test("a page that became a redirect is removed from the cache", async () => {
  const { get, state, invalidate, find } = setUp();
  await get("/blog/a-post");
  state.respond = () => new Response(null, { status: 302, headers: { location: "/blog" } });
  invalidate("posts");
  expect((await get("/blog/a-post")).status).toBe(302);
  state.failed = true;
  expect(find("/blog/a-post")).toBeNull();
});

test("when rendering throws, serves the stale page, or fails when there is none", async () => {
  const { get, textOf, state, invalidate } = setUp();
  await get("/blog");
  state.respond = () => {
    throw new Error("broken");
  };
  invalidate("posts");
  expect(await textOf("/blog")).toBe("first");
  await expect(get("/contact")).rejects.toThrow("broken");
});

test("evicts the least recently used page when the memory is full", async () => {
  const { textOf, find } = setUp({ maxBytes: 10_000 });
  for (let number = 1; number <= 8; number++) await textOf(`/blog/${number}`);
  expect(find("/blog/1")).not.toBeNull();
  for (let number = 9; number <= 12; number++) await textOf(`/blog/${number}`);
  expect(find("/blog/1")).not.toBeNull();
  expect(find("/blog/2")).toBeNull();
});

test("a page that would evict most others is not cached", async () => {
  const { textOf, find, state } = setUp({ maxBytes: 10_000 });
  state.respond = () =>
    new Response(new Uint8Array(2000), {
      headers: { "content-type": "image/png", "cache-control": "public, s-maxage=60" },
    });
  await textOf("/share/large.png");
  expect(find("/share/large.png")).toBeNull();
});

test("a page that grows after it was cached is measured again", async () => {
  const { get, find, state } = setUp({ maxBytes: 10_000 });
  state.text = "x".repeat(2000);
  await get("/blog", { headers: { "accept-encoding": "br" } });
  // The uncompressed text makes it too large for the cache.
  expect(find("/blog")?.page.body("identity").byteLength).toBe(2000);
  expect(find("/blog")).toBeNull();
});

test("a page ends with its day, and shared caches serve what the next day lacks at most a minute longer", async () => {
  const { textOf, get, state } = setUp({ tables: [] });
  state.day = { day: "2026-11-26", isLastDay: true };
  expect((await get("/blog")).headers.get("cache-control")).toBe(
    "public, max-age=0, must-revalidate, s-maxage=60",
  );
  state.text = "without the notice and the license";
  expect(await textOf("/blog")).toBe("first");
  state.day = { day: "2026-11-27", isLastDay: false };
  expect(await textOf("/blog")).toBe("without the notice and the license");
  expect((await get("/blog")).headers.get("cache-control")).toContain("stale-while-revalidate");
});
