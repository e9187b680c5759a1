import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type Acquire, currentVisitorAddress } from "embedded-supabase/rate-limits/shared-work.ts";
import { expect, onTestFinished, test } from "vitest";
import type { PageRenderer } from "../pages/page-renderer.ts";
import { onBehalfOfVisitor } from "../visitor-address.ts";
import { limitRendering, limitRequests } from "./concurrency-limits.ts";

const free: Acquire = async () => () => {};
const taken: Acquire = async () => null;
const url = "https://www.example.com/contact";

const rendered: PageRenderer = async (request) => ({
  response: new Response(`rendered ${await request.text()}`),
  use: { tables: new Set(), failed: false },
});

function limited(options: Partial<Parameters<typeof limitRendering>[0]>): PageRenderer {
  const unlimited = { renderPage: rendered, reads: free, posts: free, countSearch: () => 0 };
  return limitRendering({ ...unlimited, ...options });
}

test("a rendering without a slot responds 503 with Retry-After", async () => {
  const { response, use } = await limited({ reads: taken })(new Request(url));
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("2");
  // The backend has not failed, so cached pages must not count as stale.
  expect(use.failed).toBe(false);
});

test("reads and submitted forms have separate slots", async () => {
  const post = () => new Request(url, { method: "POST", body: "name=A" });
  const { response } = await limited({ reads: taken })(post());
  expect(await response.text()).toBe("rendered name=A");
  expect((await limited({ posts: taken })(post())).response.status).toBe(503);
});

test("an empty form is rendered", async () => {
  const { response } = await limited({})(new Request(url, { method: "POST", body: "" }));
  expect(response.status).toBe(200);
});

test("a form that is still arriving occupies no slot", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  let slots = 0;
  const posts: Acquire = async () => {
    slots += 1;
    return () => {};
  };
  const init = { method: "POST", body: readable, duplex: "half" };
  const rendering = limited({ posts })(new Request(url, init));
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode("name="));
  expect(slots).toBe(0);
  await writer.write(new TextEncoder().encode("A"));
  await writer.close();
  expect(await (await rendering).response.text()).toBe("rendered name=A");
  expect(slots).toBe(1);
});

test("a visitor who searches too often gets a 429 with Retry-After for searches, and other pages", async () => {
  const render = limited({ countSearch: () => 7 });
  for (const path of ["/blog?q=a", "/BLOG/?page=2&%71=a", "/_root.data?q=a"]) {
    const { response, use } = await render(new Request(new URL(path, url)));
    expect([path, response.status, response.headers.get("retry-after")]).toEqual([path, 429, "7"]);
    expect(use.failed).toBe(false);
  }
  for (const path of ["/blog", "/blog?q=", "/blog?page=2"]) {
    expect((await render(new Request(new URL(path, url)))).response.status).toBe(200);
  }
});

test("a failed rendering frees its slot", async () => {
  let released = 0;
  const reads: Acquire = async () => () => {
    released += 1;
  };
  const renderPage: PageRenderer = () => Promise.reject(new Error("broken"));
  await expect(limited({ renderPage, reads })(new Request(url))).rejects.toThrow("broken");
  expect(released).toBe(1);
});

test("reads run on behalf of the site, submitted forms on behalf of their visitor", async () => {
  const seen: (string | null)[] = [];
  const renderPage: PageRenderer = (request) => {
    seen.push(currentVisitorAddress());
    return rendered(request);
  };
  const render = limited({ renderPage });
  // Only the address and the headers of the request are read.
  const visitor = { headers: {}, socket: { remoteAddress: "192.0.2.1" } } as IncomingMessage;
  await onBehalfOfVisitor(visitor, 0, () => render(new Request(url)));
  const post = new Request(url, { method: "POST", body: "a=b" });
  await onBehalfOfVisitor(visitor, 0, () => render(post));
  expect(seen).toEqual([null, "192.0.2.1"]);
});

const hello: RequestListener = (_request, response) => response.end("hello");

async function startServer(acquire: Acquire): Promise<string> {
  const server = createServer(limitRequests(hello, acquire)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object") throw new Error("The server does not listen on a port");
  return `http://127.0.0.1:${address?.port}`;
}

test("a visitor with too many open requests gets a 429 with Retry-After", async () => {
  const url = await startServer(async () => null);
  const response = await fetch(url, { method: "POST", body: "not read" });
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("2");
});

test("a request frees its slot after its response", async () => {
  let open = 0;
  const url = await startServer(async () => {
    open += 1;
    return () => {
      open -= 1;
    };
  });
  expect(await (await fetch(url)).text()).toBe("hello");
  await expect.poll(() => open).toBe(0);
});
