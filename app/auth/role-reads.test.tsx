// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";

const readProfile = vi.fn(async () => ({ name: "Ada", role: "editor", tasks: [] }));
const subscription = { unsubscribe() {} };
const client = { auth: { onAuthStateChange: () => ({ data: { subscription } }) } };
// Test files share modules, so another one may have loaded the modules that are mocked here.
vi.resetModules();
vi.doMock("./read-profile.ts", () => ({ readProfile }));
vi.doMock("../supabase/browser-client.ts", () => ({
  sessionStorageKey: "owner-session",
  mayHaveSession: () => true,
  getBrowserClient: async () => client,
}));
const { AuthProvider } = await import("./auth-provider.tsx");

afterAll(() => {
  vi.doUnmock("./read-profile.ts");
  vi.doUnmock("../supabase/browser-client.ts");
});

test("the role is read each minute and on a return to the page, but not with another page", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  localStorage.setItem("owner-session", JSON.stringify({ user: { id: "ada" } }));
  const router = createMemoryRouter([{ path: "*", element: <AuthProvider>A page</AuthProvider> }]);
  const root = createRoot(document.createElement("div"));
  onTestFinished(() => root.unmount());
  root.render(<RouterProvider router={router} />);
  await expect.poll(() => readProfile.mock.calls).toHaveLength(1);

  await router.navigate("/blog");
  vi.advanceTimersByTime(59_000);
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.poll(() => readProfile.mock.calls).toHaveLength(2);

  // A minute after the last read.
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => readProfile.mock.calls).toHaveLength(3);
});
