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

test.each<[string, () => Promise<Response>, string]>([
  [
    "the server's message",
    async () =>
      Response.json({ code: "over_limit", message: "Too many accounts." }, { status: 429 }),
    "Too many accounts.",
  ],
  [
    "advice when there is no response",
    () => Promise.reject(new TypeError("Failed to fetch")),
    "The server did not respond. Check your connection and try again.",
  ],
])("a failure shows %s", async (_, fetch, description) => {
  const client = createClient("http://site.example", "key", { global: { fetch } });
  vi.mocked(getBrowserClient).mockResolvedValue(client);
  const { error } = await readAuth().signUp({ email: "ada@example.com", password: "a password" });
  expect(error).toEqual({ message: description });
  expect(latestToast()).toMatchObject({ tone: "error", title: "Sign up Failed", description });
});

test("a failure without a message shows that something went wrong", async () => {
  vi.mocked(getBrowserClient).mockRejectedValue(new Error());
  await readAuth().signOut();
  expect(latestToast()).toMatchObject({
    title: "Sign out Failed",
    description: "Something went wrong",
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
