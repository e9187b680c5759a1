// @vitest-environment happy-dom
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";

const auth = { role: "assistant", signOut: vi.fn() };
// Test files share modules, so another one may have loaded the module that is mocked here.
vi.resetModules();
vi.doMock("../auth/auth-provider.tsx", () => ({ useAuth: () => auth }));
const { ManageLayout } = await import("./manage-layout.tsx");
const { pageOf } = await import("./manage-pages.ts");

afterAll(() => {
  vi.doUnmock("../auth/auth-provider.tsx");
});

test("an open page ends with the rights to it", () => {
  const page = pageOf("messages");
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
  auth.role = "editor";
  render();
  expect(body.textContent).not.toContain("A message");
  expect(body.textContent).toContain("Your account may not read messages");
  root.unmount();
});
