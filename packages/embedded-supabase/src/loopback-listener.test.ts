import { afterAll, beforeAll, expect, test } from "vitest";
import { listenOnLoopback } from "./loopback-listener.ts";

let listener: Awaited<ReturnType<typeof listenOnLoopback>>;
let origin: string;
const handled: string[] = [];

beforeAll(async () => {
  listener = await listenOnLoopback(async (request) => {
    const { pathname, search } = new URL(request.url);
    handled.push(pathname + search);
    return new Response(await request.text());
  });
  origin = new URL(listener.url).origin;
});

afterAll(() => listener.stop());

test.each(["/rest/v1/rpc/claim?a=1", "/storage/v1/object/images"])(
  "a request for %s with the secret in its URL is handled",
  async (path) => {
    handled.length = 0;
    const response = await fetch(listener.url + path, { method: "POST", body: "{}" });
    expect([response.status, await response.text()]).toEqual([200, "{}"]);
    expect(handled).toEqual([path]);
  },
);

test.each([
  ["no secret", (_url: string) => "/rest/v1/posts"],
  ["an empty secret", () => "//rest/v1/posts"],
  ["another secret", (url: string) => `${new URL(url).pathname}x/rest/v1/posts`],
  ["half of the secret", (url: string) => `${new URL(url).pathname.slice(0, 20)}/rest/v1/posts`],
  ["the secret as a query", (url: string) => `/rest/v1/posts?${new URL(url).pathname.slice(1)}`],
  ["the secret, for signing in", (url: string) => `${new URL(url).pathname}/auth/v1/token`],
  ["the secret, for an account", (url: string) => `${new URL(url).pathname}/auth/v1/user`],
  [
    "the secret, for a function",
    (url: string) => `${new URL(url).pathname}/functions/v1/send-email`,
  ],
  ["the secret, for Realtime", (url: string) => `${new URL(url).pathname}/realtime/v1/websocket`],
  ["only the secret", (url: string) => new URL(url).pathname],
])("a request with %s gets 404, even with a key", async (_what, path) => {
  handled.length = 0;
  const response = await fetch(origin + path(listener.url), {
    method: "POST",
    headers: { apikey: "sb_publishable_key" },
    body: "{}",
  });
  expect([response.status, await response.text()]).toEqual([404, "Not found"]);
  expect(handled).toEqual([]);
});
