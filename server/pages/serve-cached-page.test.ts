import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CachedPage, createCachedPage } from "./cached-page.ts";
import { serveCachedPage } from "./serve-cached-page.ts";

let page: CachedPage;
let url: string;
const server = createServer((request, response) => {
  const find = (target: string) =>
    target === "/cached" ? { page, cacheControl: "public", cacheStatus: "site; hit" } : null;
  if (!serveCachedPage({ find }, request, response)) response.writeHead(418).end();
});

beforeAll(async () => {
  page = await createCachedPage(["content-type", "text/html"], Buffer.from("<h1>Cached</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address is never a string, because the server listens on a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

test("sends a cached page with its headers", async () => {
  const response = await fetch(`${url}/cached`, { headers: { "accept-encoding": "gzip" } });
  expect(await response.text()).toBe("<h1>Cached</h1>");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "public",
    "cache-status": "site; hit",
    "content-encoding": "gzip",
    "content-type": "text/html",
    etag: page.etag,
    vary: "accept-encoding",
  });
});

test("responds to HEAD without a body, and with 304 to a matching ETag", async () => {
  const head = await fetch(`${url}/cached`, { method: "HEAD" });
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
  const again = await fetch(`${url}/cached`, { headers: { "if-none-match": page.etag } });
  expect(again.status).toBe(304);
  expect(again.headers.get("vary")).toBe("accept-encoding");
});

test("leaves other pages and methods to other code", async () => {
  expect((await fetch(`${url}/other`)).status).toBe(418);
  expect((await fetch(`${url}/cached`, { method: "POST" })).status).toBe(418);
});

test("If-None-Match is compared weakly, as a list", async () => {
  const tag = page.etag.replace("W/", "");
  const statuses = {
    [page.etag]: 304,
    [tag]: 304,
    [`"other", ${tag}`]: 304,
    "*": 304,
    'W/"other"': 200,
  };
  for (const [header, status] of Object.entries(statuses)) {
    const response = await fetch(`${url}/cached`, { headers: { "if-none-match": header } });
    expect([header, response.status]).toEqual([header, status]);
  }
});
