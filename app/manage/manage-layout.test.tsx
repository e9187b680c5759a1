// @vitest-environment happy-dom
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";

const auth = { role: "assistant", refresh: vi.fn(), signOut: vi.fn() };
// Test files share modules, so another one may have loaded the module that is mocked here.
vi.resetModules();
vi.doMock("../auth/auth-provider.tsx", () => ({ useAuth: () => auth }));
const { ManageLayout } = await import("./manage-layout.tsx");
const { pageAt } = await import("./manage-pages.ts");

afterAll(() => {
  vi.doUnmock("../auth/auth-provider.tsx");
});

test("a page that stays open asks for the role every minute, and ends with the rights to it", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const page = pageAt("/messages");
  if (!page) throw new Error("There is no page of messages");
  const body = document.createElement("div");
  const root = createRoot(body);
  const render = () =>
    flushSync(() =>
      root.render(
        <MemoryRouter initialEntries={["/messages"]}>
          <ManageLayout page={page}>A message</ManageLayout>
        </MemoryRouter>,
      ),
    );
  render();
  expect(body.textContent).toContain("A message");
  expect(auth.refresh).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(auth.refresh).toHaveBeenCalledOnce();
  auth.role = "editor";
  render();
  expect(body.textContent).not.toContain("A message");
  expect(body.textContent).toContain("Your account may not read messages");
  root.unmount();
  vi.advanceTimersByTime(60_000);
  expect(auth.refresh).toHaveBeenCalledOnce();
});
