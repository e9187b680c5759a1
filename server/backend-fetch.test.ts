import { expect, test } from "vitest";
import { createBackendFetch } from "./backend-fetch.ts";

const posts = "http://backend.example/rest/v1/posts?select=*";

function respondingWith(response: () => Response | Promise<Response>) {
  return createBackendFetch(async () => response(), 50);
}

test.each([
  ["posts?select=*", "posts"],
  // The table that the function reads.
  ["rpc/find_neighbor_posts", "posts"],
  ["rpc/count_posts", "/rest/v1/rpc/count_posts"],
])("a request for %s is recorded as %s", async (path, table) => {
  const backend = respondingWith(() => Response.json([]));
  const { result, use } = await backend.observe(async () =>
    (await backend.fetch(`http://backend.example/rest/v1/${path}`)).json(),
  );
  expect(result).toEqual([]);
  expect(use).toMatchObject({ tables: new Set([table]), failed: false });
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

test.each([
  [
    "no response comes, although the backend ignores the signal",
    () => new Promise<Response>(() => {}),
  ],
  [
    "a body stops half-way",
    () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(3)) })),
  ],
])("times out when %s", async (_what, respond) => {
  const backend = respondingWith(respond);
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

test.each([
  ...[500, 503, 401, 429].map((status) => [status, true] as const),
  ...[204, 404, 406].map((status) => [status, false] as const),
])("status %i counts as a failure of the backend: %s", async (status, failed) => {
  const backend = respondingWith(() => new Response(null, { status }));
  const { result, use } = await backend.observe(() => backend.fetch(posts));
  expect(result.status).toBe(status);
  expect(use.failed).toBe(failed);
});
