import { afterEach, expect, test, vi } from "vitest";
import { createBrowserClient, signOutAndClear } from "./create-browser-client.ts";
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

test("a sign-out ends this session only, and is tried again with the same session when the server fails", async () => {
  const session = {
    access_token: `e30.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.e30`,
    refresh_token: "refresh",
    expires_at: 9_999_999_999,
    token_type: "bearer",
    user: { id: "ada" },
  };
  const stored = new Map([["owner-session", JSON.stringify(session)]]);
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
    clear: () => stored.clear(),
  };
  const answers = [
    Response.json({ code: "unexpected_failure", message: "Out of order." }, { status: 500 }),
    new Response(null, { status: 204 }),
  ];
  const fetch = vi.fn(async () => answers.shift() ?? Response.error());
  const location = new URL("http://site.example");
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location }));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "hidden" }));
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("fetch", fetch);
  const client = createBrowserClient("http://project.example", "key", "owner-session");
  expect((await signOutAndClear(client)).error?.message).toBe("Out of order.");
  expect((await client.auth.getSession()).data.session?.user.id).toBe("ada");
  expect((await signOutAndClear(client)).error).toBeNull();
  expect((await client.auth.getSession()).data.session).toBeNull();
  const address = "http://project.example/auth/v1/logout?scope=local";
  expect(fetch.mock.calls).toEqual([
    [address, expect.anything()],
    [address, expect.anything()],
  ]);
});

test("a read's 404 with an array as its body is an empty result, for rows and for one row", async () => {
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("fetch", async () => Response.json([{ message: "Not Found" }], { status: 404 }));
  const url = "http://project.example";
  for (const client of [
    createBrowserClient(url, "key", "session"),
    createVisitorClient(url, "key"),
  ]) {
    const posts = () => client.from("posts").select("id");
    expect(await posts()).toMatchObject({ data: [], error: null });
    expect(await posts().maybeSingle()).toMatchObject({ data: null, error: null });
    expect(await posts().single()).toMatchObject({ data: null, error: { code: "PGRST116" } });
  }
});

test("a read's 404 with another body, such as a missing table's, is an error", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ code: "PGRST205" }, { status: 404 }));
  const posts = createVisitorClient("http://project.example", "key").from("posts").select("id");
  expect(await posts.maybeSingle()).toMatchObject({ data: null, error: { code: "PGRST205" } });
});
