// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refreshSite, useSiteRefresh } from "./refresh-site.ts";

const compared = vi.fn(async (address: string) => {
  expect(address).toBe("/site-version");
  return new Response("1");
});

function Root() {
  useSiteRefresh(1);
  return <Outlet />;
}

let close: () => void;
const router = createMemoryRouter([
  { path: "/", Component: Root, children: [{ path: ":page?", Component: () => null }] },
]);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  compared.mockClear();
  vi.stubGlobal("fetch", compared);
  const root = createRoot(document.createElement("div"));
  close = () => act(() => root.unmount());
  await act(async () => root.render(<RouterProvider router={router} />));
});

afterEach(() => {
  close();
  vi.useRealTimers();
});

test("an open page that nobody uses asks the server for nothing", async () => {
  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
  expect(compared).not.toHaveBeenCalled();
});

test("the version is compared on the next page, on return and after an event of Realtime", async () => {
  await act(() => router.navigate("/blog"));
  expect(compared).toHaveBeenCalledTimes(1);
  await act(async () => window.dispatchEvent(new Event("focus")));
  expect(compared).toHaveBeenCalledTimes(2);
  await act(async () => document.dispatchEvent(new Event("visibilitychange")));
  expect(compared).toHaveBeenCalledTimes(3);
  await act(async () => refreshSite());
  expect(compared).toHaveBeenCalledTimes(4);
});
