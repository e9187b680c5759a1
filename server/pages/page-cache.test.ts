import { expect, test } from "vitest";
import type { BackendUse } from "../backend-fetch.ts";
import { createPageCache } from "./page-cache.ts";
import type { Rendering } from "./page-renderer.ts";

const siteUrl = "https://www.example.com";

interface Setup {
  tables?: string[];
  /** Starts as true: the subscription stands. */
  live?: boolean;
}

/** A cache before a site that says how often it was asked, and a clock that stands still. */
function setUp({ tables = ["posts"], live = true }: Setup = {}) {
  const state = {
    time: 0,
    text: "first",
    failed: false,
    requests: [] as Request[],
    /** When set, a rendering waits for it. */
    gate: null as Promise<void> | null,
    answer: null as (() => Response) | null,
  };
  const pages = createPageCache({
    siteUrl,
    watchedTables: ["posts", "testimonials"],
    now: () => state.time,
    log: () => {},
    async renderPage(request): Promise<Rendering> {
      state.requests.push(request);
      const use: BackendUse = { tables: new Set(tables), failed: state.failed };
      const { text } = state;
      await state.gate;
      const response =
        state.answer?.() ??
        new Response(text, {
          status: state.failed ? 503 : 200,
          headers: { "content-type": "text/html; charset=utf-8" },
        });
      return { response, use };
    },
  });
  pages.setLive(live);
  const get = (path: string, init?: RequestInit) =>
    pages.fetch(new Request(`http://evil.example${path}`, init));
  const textOf = async (path: string) => (await get(path)).text();
  const { find, changed, setLive } = pages;
  return { find, changed, setLive, state, get, textOf };
}

test("a page is rendered once and sent as kept", async () => {
  const { textOf, get, state, find } = setUp();
  expect(find("/blog")).toBeNull();
  expect(await textOf("/blog")).toBe("first");
  state.text = "never asked for";
  const second = await get("/blog");
  expect(await second.text()).toBe("first");
  expect(second.headers.get("cache-status")).toBe("site; hit");
  expect(second.headers.get("cache-control")).toContain("s-maxage=");
  expect(state.requests).toHaveLength(1);
});

test("visitors who ask at the same time share one rendering", async () => {
  const { textOf, state } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const answers = Array.from({ length: 20 }, () => textOf("/"));
  resolve();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["first"]));
  expect(state.requests).toHaveLength(1);
});

test("nothing of a visitor's request reaches a page that is kept", async () => {
  const { get, state } = setUp();
  await get("/blog?utm_source=x", {
    headers: { "x-forwarded-host": "evil.example", cookie: "a=b", authorization: "Bearer x" },
  });
  expect(state.requests.map(({ url }) => url)).toEqual([`${siteUrl}/blog`]);
  expect([...(state.requests[0]?.headers ?? [])]).toEqual([]);
});

test("a thousand made-up parameters are one rendering, which knows none of them", async () => {
  const { get, find, state } = setUp();
  for (let number = 0; number < 1000; number++) {
    expect((await get(`/?x=${number}&y`)).headers.get("cache-control")).toContain("s-maxage=");
  }
  expect(state.requests.map(({ url }) => url)).toEqual([`${siteUrl}/`]);
  expect(find("/?another")).not.toBeNull();
});

test("what is sent by POST is never kept", async () => {
  const { get, find, state } = setUp();
  const answer = await get("/contact", { method: "POST", body: "name=A" });
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  expect(state.requests[0]?.method).toBe("POST");
  expect(find("/contact")).toBeNull();
});

test.each([
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "/blog" } })],
  ["a missing page", () => new Response("404", { status: 404 })],
  ["a page with a cookie", () => new Response("", { headers: { "set-cookie": "a=b" } })],
  ["a file whose route says nothing", () => Response.json([])],
  [
    "a page that wants to be private",
    () =>
      new Response("", { headers: { "content-type": "text/html", "cache-control": "no-store" } }),
  ],
  [
    "an answer that depends on the visitor's language",
    () =>
      new Response("", {
        headers: { "content-type": "text/html", vary: "accept-encoding, accept-language" },
      }),
  ],
])("%s is not kept", async (_, answer) => {
  const { get, find, state } = setUp();
  state.answer = answer;
  const given = await get("/some");
  expect(given.status).toBe(answer().status);
  expect(given.headers.get("cache-control")).not.toContain("s-maxage");
  expect(find("/some")).toBeNull();
});

test("a redirect is answered with the whole address, which no page needs", async () => {
  const { get, state } = setUp();
  state.answer = () => {
    const { search } = new URL(state.requests.at(-1)?.url ?? siteUrl);
    return new Response(null, { status: 301, headers: { location: `/blog/new${search}` } });
  };
  const answer = await get("/blog/old?utm_source=mail");
  expect(answer.headers.get("location")).toBe("/blog/new?utm_source=mail");
});

test("a route that asks for it with s-maxage is kept, with its own word on caching", async () => {
  const { get, find, state } = setUp();
  const own = "public, max-age=300, s-maxage=300";
  state.answer = () =>
    new Response("<rss/>", {
      headers: { "content-type": "application/rss+xml", "cache-control": own },
    });
  await get("/rss.xml");
  expect(find("/rss.xml")?.cacheControl).toBe(own);
});

test("a browser that has the page hears 304", async () => {
  const { get } = setUp();
  const etag = (await get("/")).headers.get("etag") ?? "";
  const again = await get("/", { headers: { "if-none-match": `"other", ${etag}` } });
  expect(again.status).toBe(304);
  expect(again.headers.get("etag")).toBe(etag);
  expect((await get("/", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
});

test("HEAD is answered from the same page, without its body", async () => {
  const { get } = setUp();
  const head = await get("/", { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe("5");
  expect(await head.text()).toBe("");
  expect(await (await get("/")).text()).toBe("first");
});

test("a changed row makes the next visitor wait for the new page", async () => {
  const { get, textOf, state, changed, find } = setUp();
  await textOf("/blog");
  state.text = "second";
  changed("posts");
  expect(find("/blog")).toBeNull();
  const answer = await get("/blog");
  expect(await answer.text()).toBe("second");
  expect(answer.headers.get("cache-status")).toBe("site; fwd=stale; stored");
});

test("a change elsewhere leaves a page as it is", async () => {
  const { textOf, state, changed } = setUp({ tables: ["posts"] });
  await textOf("/blog");
  changed("testimonials");
  await textOf("/blog");
  expect(state.requests).toHaveLength(1);
});

test("a page that read something nobody watches is renewed by any change", async () => {
  const { textOf, state, changed } = setUp({ tables: ["/rest/v1/rpc/newest"] });
  await textOf("/blog");
  state.text = "second";
  changed("testimonials");
  expect(await textOf("/blog")).toBe("second");
});

test("a page that was read before a change and rendered after it is not shown as new", async () => {
  const { textOf, state, changed } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const early = textOf("/blog");
  await expect.poll(() => state.requests.length).toBe(1);
  state.text = "second";
  changed("posts");
  const late = textOf("/blog");
  const later = textOf("/blog");
  resolve();
  expect(await early).toBe("first");
  expect(await late).toBe("second");
  expect(await later).toBe("second");
  expect(await textOf("/blog")).toBe("second");
  expect(state.requests).toHaveLength(2);
});

test("a flood of changes queues one rendering, not one for each", async () => {
  const { textOf, state, changed } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const answers = [textOf("/blog")];
  await expect.poll(() => state.requests.length).toBe(1);
  for (let n = 0; n < 50; n++) {
    changed("posts");
    answers.push(textOf("/blog"));
  }
  resolve();
  await Promise.all(answers);
  expect(state.requests.length).toBeLessThanOrEqual(3);
});

test("a page in use is renewed after a change before someone asks for it", async () => {
  const { textOf, state, changed, find } = setUp();
  await textOf("/blog");
  state.text = "second";
  changed("posts");
  await expect.poll(() => find("/blog")?.page.body("identity").toString()).toBe("second");
});

test("while nobody reports changes a page that shows rows lives for seconds", async () => {
  const { textOf, state } = setUp({ live: false });
  await textOf("/blog");
  state.text = "second";
  state.time = 4_000;
  expect(await textOf("/blog")).toBe("first");
  state.time = 6_000;
  expect(await textOf("/blog")).toBe("second");
});

test("a page that shows no rows stays", async () => {
  const { textOf, state } = setUp({ tables: [], live: false });
  await textOf("/contact");
  state.time = 10_000_000;
  await textOf("/contact");
  expect(state.requests).toHaveLength(1);
});

test("when reports begin again, what was missed meanwhile is read", async () => {
  const { textOf, state, setLive } = setUp({ live: false });
  await textOf("/blog");
  state.text = "second";
  setLive(true);
  expect(await textOf("/blog")).toBe("second");
});

test("a page that nobody reported on for minutes is sent and renewed behind it", async () => {
  const { textOf, state, find } = setUp();
  await textOf("/blog");
  state.text = "second";
  state.time = 301_000;
  expect(await textOf("/blog")).toBe("first");
  await expect.poll(() => find("/blog")?.page.body("identity").toString()).toBe("second");
});

test("while the backend fails the old page is sent and says so", async () => {
  const { get, state, changed, find } = setUp();
  await get("/blog");
  state.failed = true;
  changed("posts");
  state.time = 7_000;
  const answer = await get("/blog");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("first");
  expect(answer.headers.get("cache-status")).toBe("site; hit; ttl=-7; detail=backend-unavailable");
  expect(answer.headers.get("cache-control")).toContain("s-maxage=5");
  // The next one does not wait for another attempt.
  expect(find("/blog")?.cacheStatus).toContain("backend-unavailable");
});

test("an outage is over with the first page that could be rendered", async () => {
  const { textOf, get, state, changed, find } = setUp();
  await textOf("/blog");
  state.failed = true;
  changed("posts");
  await get("/blog");
  state.failed = false;
  state.text = "second";
  state.time = 3_000;
  await get("/blog");
  await expect.poll(() => find("/blog")?.page.body("identity").toString()).toBe("second");
  expect(find("/blog")?.cacheStatus).toBe("site; hit");
});

test("a change that is reported during an outage is waited for", async () => {
  const { textOf, get, state, changed } = setUp();
  await textOf("/blog");
  state.failed = true;
  changed("posts");
  await get("/blog");
  state.failed = false;
  state.text = "second";
  changed("posts");
  expect(await textOf("/blog")).toBe("second");
});

test("a page without its rows is sent when there is no other, and not kept", async () => {
  const { get, state, find } = setUp();
  state.failed = true;
  state.answer = () =>
    new Response("no articles now", { headers: { "content-type": "text/html" } });
  const answer = await get("/blog");
  expect(await answer.text()).toBe("no articles now");
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  expect(find("/blog")).toBeNull();
});

test("a page that is gone is forgotten", async () => {
  const { get, state, changed, find } = setUp();
  await get("/blog/a-post");
  state.answer = () => new Response(null, { status: 302, headers: { location: "/blog" } });
  changed("posts");
  expect((await get("/blog/a-post")).status).toBe(302);
  state.failed = true;
  expect(find("/blog/a-post")).toBeNull();
});

test("a rendering that throws shows the old page, and is an error where there is none", async () => {
  const { get, textOf, state, changed } = setUp();
  await get("/blog");
  state.answer = () => {
    throw new Error("broken");
  };
  changed("posts");
  expect(await textOf("/blog")).toBe("first");
  await expect(get("/contact")).rejects.toThrow("broken");
});
