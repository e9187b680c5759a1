import { expect, test, vi } from "vitest";
import { createBrowserClient, signOutAndClear } from "./create-browser-client.ts";
import { createVisitorClient } from "./create-visitor-client.ts";

/** Like a browser's storage, the items are its own properties. */
const storageMethods = {
  getItem: (key: string) => stored[key] ?? null,
  setItem: (key: string, value: string) => {
    stored[key] = value;
  },
  removeItem: (key: string) => {
    delete stored[key];
  },
  clear: () => {
    for (const key of Object.keys(stored)) delete stored[key];
  },
};
let stored: Record<string, string> = {};

/** Stores Ada's session, and what she has not saved yet. */
function storeSession(unsaved: Record<string, string> = {}): void {
  const session = {
    access_token: `e30.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.e30`,
    refresh_token: "refresh",
    expires_at: 9_999_999_999,
    token_type: "bearer",
    user: { id: "ada" },
  };
  const items = { "owner-session": JSON.stringify(session), account: "ada", ...unsaved };
  stored = Object.assign(Object.create(storageMethods), items);
  vi.stubGlobal("localStorage", stored);
  vi.stubGlobal("sessionStorage", stored);
}

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

/** Opens a link that anyone can make. */
async function openLinkWithSession(answer: boolean) {
  const token = `e30.${btoa(JSON.stringify({ exp: 9_999_999_999, sub: "eve" }))}.e30`;
  const location = new URL(
    `http://site.example/blog?page=2#access_token=${token}&refresh_token=r&expires_in=3600&token_type=bearer`,
  );
  const replaceState = vi.fn();
  const history = { state: { idx: 1 }, replaceState };
  const confirm = vi.fn(() => answer);
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location, history, confirm }));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "hidden" }));
  vi.stubGlobal("fetch", async () => Response.json({ id: "eve" }));
  const client = createBrowserClient("http://project.example", "key", "owner-session");
  const { data } = await client.auth.getSession();
  const addresses = replaceState.mock.calls.map(([, , url]) => String(url));
  return { confirm, addresses, account: data.session?.user.id };
}

test("a link with a session asks before it replaces a session, and Cancel keeps that and its text", async () => {
  storeSession({ "post-draft": "A" });
  const { confirm, addresses, account } = await openLinkWithSession(false);
  expect(confirm).toHaveBeenCalledOnce();
  expect(account).toBe("ada");
  expect(stored["post-draft"]).toBe("A");
  expect(addresses).toEqual(["http://site.example/blog?page=2"]);
});

test("a link with a session asks before it removes the unsaved text of a session that has ended", async () => {
  storeSession({ "post-draft": "A" });
  delete stored["owner-session"];
  const { confirm, account } = await openLinkWithSession(false);
  expect(confirm).toHaveBeenCalledOnce();
  expect([account, stored["post-draft"]]).toEqual([undefined, "A"]);
});

test("a link with a session signs in after a confirmation, and at once where nothing is stored", async () => {
  storeSession();
  expect((await openLinkWithSession(true)).account).toBe("eve");
  storageMethods.clear();
  const { confirm, account } = await openLinkWithSession(false);
  expect(confirm).not.toHaveBeenCalled();
  expect(account).toBe("eve");
});

test("a sign-out ends this session only, and is tried again with the same session when the server fails", async () => {
  storeSession();
  const answers = [
    Response.json({ code: "unexpected_failure", message: "Out of order." }, { status: 500 }),
    new Response(null, { status: 204 }),
  ];
  const fetch = vi.fn(async () => answers.shift() ?? Response.error());
  const location = new URL("http://site.example");
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location }));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "hidden" }));
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
