import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { type Acquire, limitRendering } from "./concurrency-limits.ts";
import type { PageRenderer } from "./pages/page-renderer.ts";

const free: Acquire = async () => () => {};
const taken: Acquire = async () => null;
const url = "https://www.example.com/contact";

const rendered: PageRenderer = async (request) => ({
  response: new Response(`rendered ${await request.text()}`),
  use: { tables: new Set(), failed: false },
});

function limited(options: Partial<Parameters<typeof limitRendering>[0]>): PageRenderer {
  const withoutVisitor = <Result>(work: () => Result) => work();
  return limitRendering({
    renderPage: rendered,
    reads: free,
    posts: free,
    withoutVisitor,
    ...options,
  });
}

test("what gets no slot is answered with 503 and a time to try again", async () => {
  const { response, use } = await limited({ reads: taken })(new Request(url));
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("2");
  // The backend did not fail, so pages are not taken for stale.
  expect(use.failed).toBe(false);
});

test("reading and submitting have slots of their own", async () => {
  const post = () => new Request(url, { method: "POST", body: "name=A" });
  const { response } = await limited({ reads: taken })(post());
  expect(await response.text()).toBe("rendered name=A");
  expect((await limited({ posts: taken })(post())).response.status).toBe(503);
});

test("a form that is still arriving occupies no slot", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  let slots = 0;
  const posts: Acquire = async () => {
    slots += 1;
    return () => {};
  };
  const init = { method: "POST", body: readable, duplex: "half" };
  const answer = limited({ posts })(new Request(url, init));
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode("name="));
  expect(slots).toBe(0);
  await writer.write(new TextEncoder().encode("A"));
  await writer.close();
  expect(await (await answer).response.text()).toBe("rendered name=A");
  expect(slots).toBe(1);
});

test("a slot is free again after a rendering that failed", async () => {
  let released = 0;
  const reads: Acquire = async () => () => {
    released += 1;
  };
  const renderPage: PageRenderer = () => Promise.reject(new Error("broken"));
  await expect(limited({ renderPage, reads })(new Request(url))).rejects.toThrow("broken");
  expect(released).toBe(1);
});

test("a page is read on behalf of nobody, a form is submitted on behalf of its visitor", async () => {
  const visitor = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const renderPage: PageRenderer = (request) => {
    seen.push(visitor.getStore());
    return rendered(request);
  };
  const render = limited({ renderPage, withoutVisitor: (work) => visitor.exit(work) });
  await visitor.run("192.0.2.1", () => render(new Request(url)));
  await visitor.run("192.0.2.1", () => render(new Request(url, { method: "POST", body: "a=b" })));
  expect(seen).toEqual([undefined, "192.0.2.1"]);
});
