import { afterEach, expect, test, vi } from "vitest";
import { browserStorage, copyText, keepsSiteData, openChannel, tabStorage } from "./site-data.ts";

const names = ["localStorage", "sessionStorage"] as const;
const former = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));

afterEach(() => {
  for (const [index, name] of names.entries()) {
    Reflect.deleteProperty(globalThis, name);
    const descriptor = former[index];
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
  }
});

/** As in a browser that blocks site data. */
function blockSiteData() {
  const get = () => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  for (const name of names) Object.defineProperty(globalThis, name, { get, configurable: true });
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        get();
      }
    },
  );
}

test("where site data is blocked, the page has what it stored until it is left", async () => {
  blockSiteData();
  for (const storage of [browserStorage, tabStorage]) {
    expect(storage.getItem("key")).toBeNull();
    storage.setItem("key", "value");
    storage.setItem("other", "");
    expect([storage.getItem("key"), storage.getItem("other")]).toEqual(["value", ""]);
    expect(storage.keys()).toEqual(["key", "other"]);
    storage.removeItem("key");
    expect(storage.getItem("key")).toBeNull();
    storage.clear();
    expect(storage.keys()).toEqual([]);
  }
  expect(keepsSiteData()).toBe(false);
  expect(openChannel("name")).toBeNull();
  expect(await copyText("text")).toBe(false);
});

test("an embedded view without storage, where it is null, keeps what is stored until the page is left", () => {
  for (const name of names) vi.stubGlobal(name, null);
  for (const storage of [browserStorage, tabStorage]) {
    storage.setItem("key", "value");
    expect([storage.getItem("key"), storage.keys()]).toEqual(["value", ["key"]]);
    storage.clear();
    expect(storage.getItem("key")).toBeNull();
  }
  expect(keepsSiteData()).toBe(false);
});

test("a full storage keeps the former value, and the page has the new one", () => {
  const stored = new Map([["key", "former"]]);
  let isFull = true;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException("Full", "QuotaExceededError");
      stored.set(key, value);
    },
    removeItem: (key: string) => stored.delete(key),
  });
  browserStorage.setItem("key", "new");
  expect(browserStorage.getItem("key")).toBe("new");
  expect(stored.get("key")).toBe("former");
  expect(keepsSiteData()).toBe(false);

  isFull = false;
  browserStorage.setItem("key", "newer");
  stored.set("key", "from another tab");
  expect(browserStorage.getItem("key")).toBe("from another tab");
  browserStorage.removeItem("key");
  expect(stored.size).toBe(0);
  expect(keepsSiteData()).toBe(true);
});
