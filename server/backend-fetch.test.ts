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

/** A backend that counts its requests and answers them when told. */
function answeringLater() {
  const answers: ((text: string) => void)[] = [];
  const backend = createBackendFetch(
    () => new Promise((resolve) => answers.push((text) => resolve(new Response(text)))),
    50,
  );
  const read = (onlyReads = true, init?: RequestInit, url = posts) =>
    backend.observe(async () => (await backend.fetch(url, init)).text(), { onlyReads });
  return { answers, backend, read };
}

test("pages that are rendered at the same time share equal reads, and later ones read anew", async () => {
  const { answers, read } = answeringLater();
  const pages = [read(), read(), read()];
  expect(answers).toHaveLength(1);
  answers[0]?.("rows");
  for (const { result, use } of await Promise.all(pages)) {
    expect([result, [...use.tables]]).toEqual(["rows", ["posts"]]);
  }
  const later = read();
  answers[1]?.("other rows");
  expect((await later).result).toBe("other rows");
});

test("does not share reads that differ, nor those of a form, nor those from before a change", async () => {
  const { answers, backend, read } = answeringLater();
  const pages = [
    read(),
    read(true, { headers: { authorization: "Bearer other" } }),
    read(true, { method: "POST", body: "{}" }),
    read(true, { method: "POST", body: '{"a":1}' }),
    read(true, {}, `${posts}&limit=1`),
    read(false),
  ];
  backend.separateReads();
  pages.push(read());
  expect(answers).toHaveLength(7);
  for (const [index, answer] of answers.entries()) answer(`rows ${index}`);
  const texts = (await Promise.all(pages)).map(({ result }) => result);
  expect(texts).toEqual(pages.map((_, index) => `rows ${index}`));
});
