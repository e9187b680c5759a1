import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendKeptPage } from "./serve-cached-page.ts";
import { type StoredPage, storePage } from "./cached-page.ts";

let page: StoredPage;
let url: string;
const server = createServer((request, response) => {
  const find = (target: string) =>
    target === "/kept" ? { page, cacheControl: "public", cacheStatus: "site; hit" } : null;
  if (!sendKeptPage({ find }, request, response)) response.writeHead(418).end();
});

beforeAll(async () => {
  page = await storePage(["content-type", "text/html"], Buffer.from("<h1>Kept</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

test("a kept page is sent with its headers", async () => {
  const answer = await fetch(`${url}/kept`, { headers: { "accept-encoding": "gzip" } });
  expect(await answer.text()).toBe("<h1>Kept</h1>");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "public",
    "cache-status": "site; hit",
    "content-encoding": "gzip",
    "content-type": "text/html",
    etag: page.etag,
    vary: "accept-encoding",
  });
});

test("HEAD gets the headers alone, and who has the page hears so", async () => {
  const head = await fetch(`${url}/kept`, { method: "HEAD" });
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
  const again = await fetch(`${url}/kept`, { headers: { "if-none-match": page.etag } });
  expect(again.status).toBe(304);
  expect(again.headers.get("vary")).toBe("accept-encoding");
});

test("what is not kept, and what is no reading, is left to others", async () => {
  expect((await fetch(`${url}/other`)).status).toBe(418);
  expect((await fetch(`${url}/kept`, { method: "POST" })).status).toBe(418);
});
