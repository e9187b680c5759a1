// @vitest-environment happy-dom

import { act } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";

// Test files share modules, so another one may have loaded the provider that is mocked here.
vi.resetModules();
const account = { user: { id: "ada", factors: [] as { status: string }[] } };
vi.doMock("../../auth/auth-provider.tsx", () => ({ useAuth: () => account }));
const { TwoStepReminder } = await import("./two-step-reminder.tsx");

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
afterAll(() => {
  vi.doUnmock("../../auth/auth-provider.tsx");
});

async function render() {
  const page = document.createElement("div");
  await act(async () =>
    createRoot(page).render(
      <MemoryRouter>
        <TwoStepReminder />
      </MemoryRouter>,
    ),
  );
  return page;
}

test("an account without an app is reminded until it says not now", async () => {
  localStorage.clear();
  const page = await render();
  expect(page.querySelector("a")?.getAttribute("href")).toBe("/manage/account");
  await act(async () => page.querySelector("button")?.click());
  expect(page.textContent).toBe("");
  expect((await render()).textContent).toBe("");
});

test("an account with an app is not reminded", async () => {
  localStorage.clear();
  account.user.factors = [{ status: "verified" }];
  expect((await render()).textContent).toBe("");
});
