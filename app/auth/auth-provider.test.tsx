import { createClient } from "@supabase/supabase-js";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";

// Test files share modules, so another one may have loaded the client that is mocked here.
vi.resetModules();
vi.doMock("../supabase/browser-client.ts");
const { getBrowserClient } = await import("../supabase/browser-client.ts");
const { latestToast } = await import("../ui/toast.ts");
const { AuthProvider, useAuth } = await import("./auth-provider.tsx");

function Probe() {
  const { user, loading } = useAuth();
  return <>{JSON.stringify({ user, loading })}</>;
}

function renderWithAuth(children: ReactNode): string {
  return renderToString(
    <MemoryRouter>
      <AuthProvider>{children}</AuthProvider>
    </MemoryRouter>,
  );
}

test("using the auth helpers outside the provider is an error", () => {
  expect(() => renderToString(<Probe />)).toThrow("useAuth must be used within an AuthProvider");
});

test("the session is loading at first, without a user", () => {
  const html = renderWithAuth(<Probe />);
  expect(html).toContain("{&quot;user&quot;:null,&quot;loading&quot;:true}");
});

const wrong = "Something went wrong";
const responses: [string, () => Promise<Response>, toast: string, form?: string][] = [
  [
    "says why",
    async () => Response.json({ code: "over_limit", message: "Too many." }, { status: 429 }),
    "Too many.",
  ],
  ["fails and says why", async () => Response.json({ msg: "Later." }, { status: 503 }), "Later."],
  ["sends {}", async () => Response.json({}, { status: 400 }), wrong],
  ["fails with {}", async () => Response.json({}, { status: 500 }), wrong],
  ["sends only a code", async () => Response.json({ code: 400 }, { status: 400 }), wrong],
  ["sends an empty message", async () => Response.json({ msg: "" }, { status: 400 }), wrong],
  ["sends a blank message", async () => Response.json({ message: " " }, { status: 422 }), wrong],
  ["sends null", async () => Response.json(null, { status: 400 }), wrong],
  ["sends nothing", async () => new Response(null, { status: 400 }), wrong],
  ["fails with nothing", async () => new Response(null, { status: 500 }), wrong],
  [
    "fails with a page",
    async () => new Response("<h1>", { status: 502, statusText: "Bad Gateway" }),
    wrong,
  ],
  [
    "is out of reach",
    () => Promise.reject(new TypeError("Failed to fetch")),
    wrong,
    "The server did not respond. Check your connection and try again.",
  ],
];
test.each(responses)(
  "when the server %s, the toast and the form tell it",
  async (_, fetch, toast, form = toast) => {
    vi.stubGlobal("window", new EventTarget());
    const client = createClient("http://site.example", "key", { global: { fetch } });
    vi.mocked(getBrowserClient).mockResolvedValue(client);
    const { signUp, signIn } = readAuth();
    for (const [title, attempt] of [
      ["Sign up Failed", () => signUp({ email: "ada@example.com", password: "a password" })],
      ["Sign in Failed", () => signIn("ada@example.com", "a password")],
    ] as const) {
      expect((await attempt()).error).toEqual({ message: form });
      expect(latestToast()).toMatchObject({ tone: "error", title, description: toast });
    }
  },
);

test("when a part of the page cannot be loaded, the form says so", async () => {
  const message = "Part of this page could not be loaded. Check your connection and try again.";
  vi.mocked(getBrowserClient).mockRejectedValue(new Error(message));
  const { error } = await readAuth().signUp({ email: "ada@example.com", password: "a password" });
  expect(error).toEqual({ message });
  expect(latestToast()).toMatchObject({ title: "Sign up Failed", description: wrong });
});

test("a sign-out that fails without a message shows that something went wrong", async () => {
  vi.mocked(getBrowserClient).mockRejectedValue(new Error());
  await readAuth().signOut();
  expect(latestToast()).toMatchObject({
    title: "Sign out Failed",
    description: wrong,
  });
});

function readAuth() {
  let auth: ReturnType<typeof useAuth> | undefined;
  function Reader() {
    auth = useAuth();
    return null;
  }
  renderWithAuth(<Reader />);
  if (!auth) throw new Error("Nothing was rendered");
  return auth;
}
