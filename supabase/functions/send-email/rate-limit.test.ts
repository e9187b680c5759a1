import { createClient } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import { refusalOf, secondsToWait } from "./rate-limit.ts";

function clientThatAnswers(answer: () => Promise<Response>) {
  return createClient("http://127.0.0.1", "key", { global: { fetch: answer } });
}

test("the database's answer counts", async () => {
  const client = clientThatAnswers(async () => Response.json(90));
  expect(await secondsToWait(client, new Headers())).toBe(90);
});

test("the address is the one that Cloudflare saw, not what the visitor claims", async () => {
  const asked = vi.fn(async (_input: unknown, _init?: RequestInit) => Response.json(0));
  const client = createClient("http://127.0.0.1", "key", { global: { fetch: asked } });
  const headers = { "cf-connecting-ip": "203.0.113.7", "x-forwarded-for": "1.1.1.1" };
  await secondsToWait(client, new Headers(headers));
  expect(asked.mock.calls[0]?.[1]?.body).toBe('{"visitor_address":"203.0.113.7"}');
});

test("a database that can't say lets the message through", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const answers = [
    async () => Response.json({ message: "no such function" }, { status: 404 }),
    async () => Promise.reject(new TypeError("fetch failed")),
    async () => Response.json(null),
  ];
  for (const answer of answers) {
    expect(await secondsToWait(clientThatAnswers(answer), new Headers())).toBe(0);
  }
});

test.each([
  [1, "a minute"],
  [61, "2 minutes"],
  [7141, "2 hours"],
])("%i seconds are said as %s", (seconds, words) => {
  expect(refusalOf(seconds)).toContain(` in ${words}, or call us.`);
});
