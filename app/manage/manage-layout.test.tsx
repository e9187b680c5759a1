// @vitest-environment happy-dom
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";

const auth = { role: "assistant", signOut: vi.fn() };
// Test files share modules, so another one may have loaded the modules that are mocked here.
vi.resetModules();
vi.doMock("../auth/auth-provider.tsx", () => ({ useAuth: () => auth }));
vi.doMock("../config/use-site.ts", () => ({ useSite: () => ({ firm: { name: "A firm" } }) }));
vi.doMock("./start/waiting.ts", () => ({ useWaiting: () => ({ unread: 3 }) }));
const { ManageLayout } = await import("./manage-layout.tsx");
const { pageOf } = await import("./manage-pages.ts");

afterAll(() => {
  vi.doUnmock("../auth/auth-provider.tsx");
  vi.doUnmock("../config/use-site.ts");
  vi.doUnmock("./start/waiting.ts");
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
  expect(body.querySelector("main")?.textContent).toBe("A message");
  const current = body.querySelector("nav [aria-current='page']");
  expect(current?.textContent).toBe("Inbox3 new");
  auth.role = "editor";
  render();
  expect(body.textContent).not.toContain("A message");
  expect(body.textContent).toContain("Your account may not read messages");
  expect(body.textContent).not.toContain("Inbox");
  root.unmount();
});
