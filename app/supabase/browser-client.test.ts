import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("./create-visitor-client.ts");
  vi.doUnmock("./create-browser-client.ts");
});

/** The module is new for each test, as in a new tab. */
async function openTab(session: string | null) {
  const removeAllChannels = vi.fn();
  const visitors = { realtime: { removeAllChannels } };
  const accounts = {};
  vi.stubGlobal("document", { head: { querySelector: () => null } });
  vi.stubGlobal("window", { location: { hash: "", origin: "http://site.example" } });
  vi.stubGlobal("localStorage", { getItem: () => session });
  vi.resetModules();
  vi.doMock("./create-visitor-client.ts", () => ({ createVisitorClient: () => visitors }));
  vi.doMock("./create-browser-client.ts", () => ({ createBrowserClient: () => accounts }));
  const tab = await import("./browser-client.ts");
  return { ...tab, visitors, accounts, removeAllChannels };
}

test("a visitor gets the small client until an account's client is made, which then takes over", async () => {
  const tab = await openTab(null);
  expect(await tab.getVisitorClient()).toBe(tab.visitors);
  expect(await tab.getVisitorClient()).toBe(tab.visitors);
  expect(tab.removeAllChannels).not.toHaveBeenCalled();
  expect(await tab.getBrowserClient()).toBe(tab.accounts);
  expect(tab.removeAllChannels).toHaveBeenCalledOnce();
  expect(await tab.getVisitorClient()).toBe(tab.accounts);
});

test("with a session there is only the account's client", async () => {
  const tab = await openTab("session");
  expect(await tab.getVisitorClient()).toBe(tab.accounts);
});
