import type { Session } from "@supabase/supabase-js";
import { beforeEach, expect, test, vi } from "vitest";
import { followAccount, signOutAndClear } from "./account-storage.ts";
import type { Client } from "./client-context.ts";

/** Holds its items as properties, as browsers do. */
class MemoryStorage {
  [key: string]: unknown;
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
  clear(): void {
    for (const key of Object.keys(this)) delete this[key];
  }
}

let tab: MemoryStorage;
let browser: MemoryStorage;
let signIn: (id: string) => void;
let signOutElsewhere: () => void;
const channel = { unsubscribe: vi.fn() };
const confirm = vi.fn();
const signOut = vi.fn(async () => ({ error: null }));
const client = {
  auth: {
    signOut,
    onAuthStateChange(listener: (event: string, session: Session | null) => void) {
      signIn = (id) => listener("SIGNED_IN", { user: { id } } as Session);
      signOutElsewhere = () => listener("SIGNED_OUT", null);
    },
  },
  getChannels: () => [channel],
} as unknown as Client;

beforeEach(() => {
  browser = new MemoryStorage();
  tab = new MemoryStorage();
  confirm.mockReset();
  signOut.mockClear();
  vi.stubGlobal("localStorage", browser);
  vi.stubGlobal("sessionStorage", tab);
  vi.stubGlobal("window", { addEventListener() {}, confirm });
  followAccount(client, "owner-session");
  signIn("ada");
});

test.each(["post-draft:1", "settings-draft:firm", "note-draft:1", "testimonial-draft"])(
  "a sign-out asks when there is unsaved text in %s, and keeps it when the answer is no",
  async (key) => {
    (key === "testimonial-draft" ? tab : browser).setItem(key, "text");
    confirm.mockReturnValue(false);
    await signOutAndClear(client);
    expect(confirm).toHaveBeenCalledOnce();
    expect(signOut).not.toHaveBeenCalled();
    expect(browser.getItem(key) ?? tab.getItem(key)).toBe("text");
  },
);

test("a sign-out removes all that the browser keeps of the account, without a question when nothing is unsaved", async () => {
  browser.setItem("setup-progress", "{}");
  await signOutAndClear(client);
  expect(confirm).not.toHaveBeenCalled();
  expect([...Object.keys(tab), ...Object.keys(browser)]).toEqual([]);
});

test("unsaved text of a session that ended waits for the same account, and another one never gets it", () => {
  for (const storage of [browser, tab]) storage.setItem("post-draft:1", "text");
  browser.setItem("owner-session", "{}");
  signIn("ada");
  for (const storage of [browser, tab]) expect(storage.getItem("post-draft:1")).toBe("text");
  signIn("grace");
  for (const storage of [browser, tab]) expect(storage.getItem("post-draft:1")).toBeNull();
  expect(browser.getItem("owner-session")).toBe("{}");
});

test("after a sign-out in another tab, this one leaves its channels, whose rights Realtime would keep", () => {
  expect(channel.unsubscribe).not.toHaveBeenCalled();
  signOutElsewhere();
  expect(channel.unsubscribe).toHaveBeenCalledOnce();
});
