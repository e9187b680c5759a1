import { createClient } from "@supabase/supabase-js";
import { expect, onTestFinished, test, vi } from "vitest";
import { startRealtimeStandIn } from "../../tests/realtime-stand-in.ts";
import type { LiveTable } from "./live.ts";

/** Longer than the pauses before another join, also on a busy machine. */
const soon = { timeout: 20_000 };

/** Subscribes as a page does. The module is new for each test, as in a new tab. */
async function openPage(...tables: LiveTable[]) {
  const realtime = await startRealtimeStandIn();
  let answers = 0;
  const client = createClient(realtime.url, "key", {
    realtime: { reconnectAfterMs: () => 20 },
    global: {
      async fetch(...request) {
        const response = await fetch(...request);
        const body = await response.text();
        answers += 1;
        return new Response(body, response);
      },
    },
  });
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", { requestIdleCallback: true });
  vi.stubGlobal("requestIdleCallback", (run: () => void) => setTimeout(run, 0));
  vi.resetModules();
  vi.doMock("./browser-client.ts", () => ({ getVisitorClient: async () => client }));
  const live = await import("./live.ts");
  const refetch = vi.fn();
  const unsubscribe = live.subscribeToChanges(tables, refetch);
  onTestFinished(() => {
    // A page leaves its channels after a second. Here it leaves at once, while there is a document.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    unsubscribe();
    vi.runAllTimers();
    vi.useRealTimers();
    return client.realtime.disconnect().then(() => {});
  });
  await expect.poll(() => realtime.joins, soon).toHaveLength(tables.length);
  return {
    ...{ realtime, client, refetch, live },
    look: () => page.dispatchEvent(new Event("visibilitychange")),
    /** Resolves when a state was read after this call, and its comparison is over. */
    async compared(reads = realtime.reads) {
      await expect.poll(() => answers, soon).toBeGreaterThan(reads);
      await new Promise(setImmediate);
    },
  };
}

test("a change before the database sends changes is fetched when the system says so", async () => {
  const { realtime, refetch, compared } = await openPage("posts", "testimonials");
  realtime.confirms = false;
  realtime.closeChannels("Realtime is restarting");
  await expect.poll(() => realtime.joins, soon).toHaveLength(4);
  realtime.change("posts", "a");
  await compared(realtime.reads - 1);
  expect(refetch).not.toHaveBeenCalled();
  realtime.confirm();
  await expect.poll(() => refetch, soon).toHaveBeenCalledTimes(1);
});

test("without a change, joining causes no refetch", async () => {
  const { realtime, refetch, compared } = await openPage("posts");
  await compared(1);
  realtime.closeChannels("The token has expired");
  await expect.poll(() => realtime.joins, soon).toHaveLength(2);
  await compared(2);
  expect(refetch).not.toHaveBeenCalled();
});

test("a channel that the server closes is joined again, and what it missed is fetched", async () => {
  const { realtime, refetch } = await openPage("posts");
  realtime.closeChannels("InvalidJWTToken: Token has expired");
  realtime.change("posts", "a");
  await expect.poll(() => realtime.joins, soon).toHaveLength(2);
  await expect.poll(() => refetch, soon).toHaveBeenCalledTimes(1);
});

test("a page that looks again joins where a change was not heard, and nowhere else", async () => {
  const { realtime, refetch, look, compared } = await openPage("posts", "testimonials");
  await compared(realtime.reads - 1);
  realtime.change("posts", "a");
  await expect.poll(() => refetch, soon).toHaveBeenCalledTimes(1);
  realtime.isDeaf = true;
  realtime.change("testimonials", "b");
  look();
  await expect.poll(() => realtime.joins, soon).toHaveLength(3);
  expect(realtime.joins[2]?.topic).toBe("realtime:realtime testimonials");
  expect(realtime.leaves).toEqual(["realtime:realtime testimonials"]);
});

test("a page listens to the keys of rows only, and to messages in a private channel", async () => {
  const { realtime } = await openPage("posts", "public_site_settings", "contact_messages");
  const asked = realtime.joins.map(({ topic, config }) => [topic, config]);
  expect(Object.fromEntries(asked)).toMatchObject({
    "realtime:realtime posts": { private: false, postgres_changes: [{ select: ["id"] }] },
    "realtime:realtime public_site_settings": { postgres_changes: [{ select: ["section"] }] },
    "realtime:realtime contact_messages": { private: true, postgres_changes: [] },
  });
});

test("a sign-out leaves the channels first, and joins them again afterwards", async () => {
  const { realtime, client, live } = await openPage("posts", "testimonials");
  const { promise: signedOut, resolve } = Promise.withResolvers<void>();
  const signOut = vi.fn(() => signedOut);
  live.signOutWithoutChannels(client, signOut);
  expect(signOut).toHaveBeenCalledOnce();
  expect(client.getChannels()).toEqual([]);
  await expect.poll(() => realtime.leaves, soon).toHaveLength(2);
  expect(realtime.joins).toHaveLength(2);
  resolve();
  await expect.poll(() => realtime.joins, soon).toHaveLength(4);
});
