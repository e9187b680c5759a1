// @vitest-environment happy-dom

import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";

// Test files share modules, so another one may have loaded the client that is mocked here.
vi.resetModules();
vi.doMock("../supabase/browser-client.ts", () => ({
  sessionStorageKey: "owner-session",
  mayHaveSession: () => localStorage.length > 0,
  getBrowserClient: () => new Promise(() => {}),
}));
const { AuthProvider, useAuth } = await import("./auth-provider.tsx");

afterAll(() => {
  vi.doUnmock("../supabase/browser-client.ts");
});

function Probe() {
  const { user, loading, role, name, tasks } = useAuth();
  return JSON.stringify({ id: user?.id, loading, role, name, tasks });
}

const app = (
  <MemoryRouter>
    <AuthProvider>
      <Probe />
    </AuthProvider>
  </MemoryRouter>
);

/** What the first paint after hydration shows. */
function firstPaint(items: Record<string, string>): unknown {
  localStorage.clear();
  for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  const page = document.createElement("div");
  page.innerHTML = renderToString(app);
  const root = flushSync(() => hydrateRoot(page, app));
  flushSync(() => {});
  const shown: unknown = JSON.parse(page.textContent);
  root.unmount();
  return shown;
}

const session = JSON.stringify({ user: { id: "ada" } });
const profile = { name: "Ada", role: "editor", tasks: ["write posts"] };

test("a stored account is there with the first paint, before the backend responds", () => {
  const stored = JSON.stringify({ userId: "ada", profile });
  expect(firstPaint({ "owner-session": session, "account-profile": stored })).toEqual({
    id: "ada",
    loading: false,
    ...profile,
  });
});

test.each([
  ["aal1", { name: null, tasks: [] }],
  ["aal2", { id: "ada", ...profile }],
])("with an authenticator app, a session of %s shows what it may do", (aal, shown) => {
  const access_token = `e30.${btoa(JSON.stringify({ aal }))}.x`;
  const user = { id: "ada", factors: [{ status: "unverified" }, { status: "verified" }] };
  const session = JSON.stringify({ access_token, user });
  const stored = JSON.stringify({ userId: "ada", profile });
  expect(firstPaint({ "owner-session": session, "account-profile": stored })).toEqual({
    loading: false,
    ...shown,
  });
});

test("the stored profile of another account gives no controls", () => {
  const stored = JSON.stringify({ userId: "grace", profile });
  expect(firstPaint({ "owner-session": session, "account-profile": stored })).toEqual({
    id: "ada",
    loading: false,
    name: null,
    tasks: [],
  });
});

test.each(["{", "null", "{}", '{"user":null}'])(
  "a stored session of %s waits for the client",
  (text) => {
    expect(firstPaint({ "owner-session": text })).toMatchObject({ loading: true, tasks: [] });
  },
);
