import type { IncomingMessage } from "node:http";
import { currentVisitorAddress } from "embedded-supabase/rate-limits/shared-work.ts";
import { expect, test } from "vitest";
import { createHealth } from "./health.ts";
import { notListening } from "./realtime/realtime-changes.ts";
import { onBehalfOfVisitor } from "./visitor-address.ts";

function setUp(respond: () => Promise<Response>) {
  const state = { reads: 0 };
  const health = createHealth({
    backendUrl: "https://abc.supabase.co",
    anonKey: "key",
    reportRealtime: () => notListening,
    siteId: "site",
    fetchBackend: () => {
      state.reads += 1;
      return respond();
    },
  });
  return { health, state };
}

test("the process is alive, whatever the backend does", async () => {
  const { health, state } = setUp(() => Promise.reject(new Error("no response")));
  expect((await health.request("/")).status).toBe(200);
  expect((await health.request("/live")).status).toBe(200);
  expect(state.reads).toBe(0);
});

test("the site is ready when a row can be read", async () => {
  const response = await setUp(async () => Response.json([])).health.request("/ready");
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok", ...notListening });
});

test.each([
  ["rejects", () => Promise.reject(new Error("no response"))],
  ["responds with an error", async () => new Response("", { status: 503 })],
])("the site is not ready when the backend %s", async (_what, respond) => {
  expect((await setUp(respond).health.request("/ready")).status).toBe(503);
});

test("the read counts against no visitor", async () => {
  const addresses: (string | null)[] = [];
  const { health } = setUp(async () => {
    addresses.push(currentVisitorAddress());
    return Response.json([]);
  });
  // Only the address and the headers of the request are read.
  const request = { headers: {}, socket: { remoteAddress: "192.0.2.1" } } as IncomingMessage;
  await onBehalfOfVisitor(request, 0, () => health.request("/ready"));
  expect(addresses).toEqual([null]);
});

test("a hundred checks at once read the backend once", async () => {
  const { health, state } = setUp(async () => Response.json([]));
  await Promise.all(Array.from({ length: 100 }, () => health.request("/ready")));
  expect(state.reads).toBe(1);
});
