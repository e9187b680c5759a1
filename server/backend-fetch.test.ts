import { expect, test } from "vitest";
import { createBackendCalls } from "./backend-fetch.ts";

const posts = "http://backend.example/rest/v1/posts?select=*";

function answering(response: () => Response | Promise<Response>) {
  return createBackendCalls(async () => response(), 50);
}

test("a call tells which table was read", async () => {
  const calls = answering(() => Response.json([]));
  const { result, use } = await calls.observe(async () => (await calls.fetch(posts)).json());
  expect(result).toEqual([]);
  expect(use.tables).toEqual(new Set(["posts"]));
  expect(use.failed).toBe(false);
});

test("what is no table is named by its path", async () => {
  const calls = answering(() => Response.json(1));
  const { use } = await calls.observe(() =>
    calls.fetch("http://backend.example/rest/v1/rpc/count_posts"),
  );
  expect(use.tables).toEqual(new Set(["/rest/v1/rpc/count_posts"]));
});

test("work without a call depends on nothing", async () => {
  const calls = answering(() => Response.json([]));
  const { use } = await calls.observe(async () => "static");
  expect(use.tables.size).toBe(0);
});

test("two pieces of work at the same time are told apart", async () => {
  const calls = createBackendCalls(async (input) =>
    String(input).includes("posts") ? new Response(null, { status: 500 }) : Response.json([]),
  );
  const [first, second] = await Promise.all([
    calls.observe(() => calls.fetch(posts)),
    calls.observe(() => calls.fetch("http://backend.example/rest/v1/testimonials")),
  ]);
  expect(first.use).toMatchObject({ tables: new Set(["posts"]), failed: true });
  expect(second.use).toMatchObject({ tables: new Set(["testimonials"]), failed: false });
});

test("an answer that never comes is given up, although the backend ignores the signal", async () => {
  const calls = answering(() => new Promise<Response>(() => {}));
  const { result, use } = await calls.observe(() => calls.fetch(posts).catch((error) => error));
  expect(result).toMatchObject({ name: "TimeoutError" });
  expect(use.failed).toBe(true);
});

test("a body that stops half-way is given up", async () => {
  const calls = answering(
    () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(3)) })),
  );
  const { result, use } = await calls.observe(() => calls.fetch(posts).catch((error) => error));
  expect(result).toMatchObject({ name: "TimeoutError" });
  expect(use.failed).toBe(true);
});

test("the calls of one piece of work share its deadline", async () => {
  const calls = answering(() => new Promise<Response>(() => {}));
  const failure = () => calls.fetch(posts).catch((error) => error);
  const { result } = await calls.observe(async () => [await failure(), await failure()]);
  expect(result[0]).toMatchObject({ name: "TimeoutError" });
  expect(result[1]).toBe(result[0]);
});

test.each([500, 503, 401, 429])("status %i is the backend's failure", async (status) => {
  const calls = answering(() => new Response("no", { status }));
  const { result, use } = await calls.observe(() => calls.fetch(posts));
  expect(result.status).toBe(status);
  expect(use.failed).toBe(true);
});

test.each([204, 404, 406])("status %i is an answer", async (status) => {
  const calls = answering(() => new Response(null, { status }));
  const { result, use } = await calls.observe(() => calls.fetch(posts));
  expect(result.status).toBe(status);
  expect(use.failed).toBe(false);
});
