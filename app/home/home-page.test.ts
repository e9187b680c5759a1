import { createClient } from "@supabase/supabase-js";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { loader } from "./home-page.tsx";

test("the home page reads the five newest testimonials, and no sixth", async () => {
  const requested: URL[] = [];
  const fetch = async (input: RequestInfo | URL) => {
    requested.push(new URL(String(input)));
    return Response.json([]);
  };
  const client: Client = createClient("http://backend.example", "key", { global: { fetch } });
  const context = new RouterContextProvider(new Map([[clientContext, client]]));
  // The loader reads only these of its arguments.
  await loader({ context } as unknown as Parameters<typeof loader>[0]);
  const reads = requested.filter(({ pathname }) => pathname === "/rest/v1/testimonials");
  expect(reads.map(({ searchParams }) => searchParams.get("limit"))).toEqual(["5"]);
});
