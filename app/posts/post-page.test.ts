import { createClient } from "@supabase/supabase-js";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { toEmptyResult } from "../supabase/empty-result.ts";
import { loader } from "./post-page.tsx";

test("a post whose read is answered by 404 and an array is not there, and leads to the blog", async () => {
  const reads: string[] = [];
  // As the server's client (server/site.ts).
  async function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    reads.push(new URL(String(input)).pathname);
    if (init?.method === "POST") return Response.json(null);
    const notFound = Response.json([{ message: "Not Found" }], { status: 404 });
    return toEmptyResult(notFound, init);
  }
  const client: Client = createClient("http://backend.example", "key", { global: { fetch } });
  const context = new RouterContextProvider();
  context.set(clientContext, client);
  const request = new Request("http://localhost/blog/a-post");
  // The loader reads nothing else of its arguments.
  const args = { context, request, params: { slug: "a-post" } };
  const thrown = await loader(args as unknown as Parameters<typeof loader>[0]).catch(
    (error) => error,
  );
  expect([thrown.status, thrown.headers.get("location")]).toEqual([302, "/blog"]);
  expect(reads).toContain("/rest/v1/posts");
});
