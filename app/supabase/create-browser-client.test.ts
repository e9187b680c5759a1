import { afterEach, expect, test, vi } from "vitest";
import { createBrowserClient } from "./create-browser-client.ts";
import { createVisitorClient } from "./create-visitor-client.ts";

afterEach(() => vi.unstubAllGlobals());

test("a text that was cut inside a character is sent whole, because PostgREST rejects halves", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("fetch", async (_input: unknown, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return new Response(null, { status: 201 });
  });
  const url = "http://project.example";
  for (const client of [
    createBrowserClient(url, "key", "session"),
    createVisitorClient(url, "key"),
  ]) {
    await client.from("testimonials").insert({ name: "Ada \ud83c", content: "🏠", rating: 5 });
  }
  const whole = { name: "Ada \ufffd", content: "🏠", rating: 5 };
  expect(sent).toEqual([whole, whole]);
});
