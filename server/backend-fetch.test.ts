import { expect, test } from "vitest";
import { createBackendFetch } from "./backend-fetch.ts";

const posts = "http://backend.example/rest/v1/posts?select=*";

function respondingWith(response: () => Response | Promise<Response>) {
  return createBackendFetch(async () => response(), 50);
}

test("records the table of a request", async () => {
  const backend = respondingWith(() => Response.json([]));
  const { result, use } = await backend.observe(async () => (await backend.fetch(posts)).json());
  expect(result).toEqual([]);
  expect(use.tables).toEqual(new Set(["posts"]));
  expect(use.failed).toBe(false);
});

test("records the table that a function reads", async () => {
  const backend = respondingWith(() => Response.json([]));
  const { use } = await backend.observe(() =>
    backend.fetch("http://backend.example/rest/v1/rpc/find_neighbor_posts"),
  );
  expect(use.tables).toEqual(new Set(["posts"]));
});

test("records other requests by their path", async () => {
  const backend = respondingWith(() => Response.json(1));
  const { use } = await backend.observe(() =>
    backend.fetch("http://backend.example/rest/v1/rpc/count_posts"),
  );
  expect(use.tables).toEqual(new Set(["/rest/v1/rpc/count_posts"]));
});

test("records nothing for work without requests", async () => {
  const backend = respondingWith(() => Response.json([]));
  const { use } = await backend.observe(async () => "static");
  expect(use.tables.size).toBe(0);
});

test("separates two concurrent observations", async () => {
  const backend = createBackendFetch(async (input) =>
    String(input).includes("posts") ? new Response(null, { status: 500 }) : Response.json([]),
  );
  const [first, second] = await Promise.all([
    backend.observe(() => backend.fetch(posts)),
    backend.observe(() => backend.fetch("http://backend.example/rest/v1/testimonials")),
  ]);
  expect(first.use).toMatchObject({ tables: new Set(["posts"]), failed: true });
  expect(second.use).toMatchObject({ tables: new Set(["testimonials"]), failed: false });
});

test("times out when no response comes, although the backend ignores the signal", async () => {
  const backend = respondingWith(() => new Promise<Response>(() => {}));
  const { result, use } = await backend.observe(() => backend.fetch(posts).catch((error) => error));
  expect(result).toMatchObject({ name: "TimeoutError" });
  expect(use.failed).toBe(true);
});

test("times out when a body stops half-way", async () => {
  const backend = respondingWith(
    () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(3)) })),
  );
  const { result, use } = await backend.observe(() => backend.fetch(posts).catch((error) => error));
  expect(result).toMatchObject({ name: "TimeoutError" });
  expect(use.failed).toBe(true);
});

test("requests of one observation share its timeout", async () => {
  const backend = respondingWith(() => new Promise<Response>(() => {}));
  const failure = () => backend.fetch(posts).catch((error) => error);
  const { result } = await backend.observe(async () => [await failure(), await failure()]);
  expect(result[0]).toMatchObject({ name: "TimeoutError" });
  expect(result[1]).toBe(result[0]);
});

test.each([500, 503, 401, 429])("status %i counts as a failure of the backend", async (status) => {
  const backend = respondingWith(() => new Response("no", { status }));
  const { result, use } = await backend.observe(() => backend.fetch(posts));
  expect(result.status).toBe(status);
  expect(use.failed).toBe(true);
});

test.each([204, 404, 406])("status %i does not count as a failure", async (status) => {
  const backend = respondingWith(() => new Response(null, { status }));
  const { result, use } = await backend.observe(() => backend.fetch(posts));
  expect(result.status).toBe(status);
  expect(use.failed).toBe(false);
});
