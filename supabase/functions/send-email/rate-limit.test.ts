import { createClient } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import { secondsToWait } from "./rate-limit.ts";

function clientWith(fetch: () => Promise<Response>) {
  return createClient("http://127.0.0.1", "key", { global: { fetch } });
}

test("the wait comes from the database", async () => {
  const client = clientWith(async () => Response.json(90));
  expect(await secondsToWait(client, new Headers(), false)).toBe(90);
});

test("the database chooses the header that has the visitor's address", async () => {
  const fetch = vi.fn(async (_input: unknown, _init?: RequestInit) => Response.json(0));
  const client = createClient("http://127.0.0.1", "key", { global: { fetch } });
  const headers = { "cf-connecting-ip": "203.0.113.7", "x-forwarded-for": "1.1.1.1" };
  await secondsToWait(client, new Headers(headers), true);
  expect(fetch.mock.calls[0]?.[1]?.body).toBe(
    JSON.stringify({ request_headers: JSON.stringify(headers), is_spam: true }),
  );
});

test("a message is accepted when the database fails", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const responses = [
    async () => Response.json({ message: "no such function" }, { status: 404 }),
    async () => Promise.reject(new TypeError("fetch failed")),
    async () => Response.json(null),
  ];
  for (const respond of responses) {
    expect(await secondsToWait(clientWith(respond), new Headers(), false)).toBe(0);
  }
});
