import { createClient } from "@supabase/supabase-js";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { siteContext } from "../config/request-context.ts";
import { defaultSettings } from "../config/site.ts";
import { settingsSchema } from "../config/site-schema.ts";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { loader } from "./home-page.tsx";

async function readsOf(hidden: string[], samples = true): Promise<URL[]> {
  const requested: URL[] = [];
  const fetch = async (input: RequestInfo | URL) => {
    requested.push(new URL(String(input)));
    return Response.json([]);
  };
  const client: Client = createClient("http://backend.example", "key", { global: { fetch } });
  const context = new RouterContextProvider();
  context.set(clientContext, client);
  const testimonials = { ...defaultSettings.testimonials, samples };
  const settings = settingsSchema.parse({ ...defaultSettings, testimonials, pages: { hidden } });
  const site = toPublicSite(settings);
  context.set(siteContext, { site, settings: defaultSettings, formerPages: {}, version: 0 });
  // The loader reads nothing else of its arguments.
  const request = new Request("http://localhost/");
  await loader({ context, request } as unknown as Parameters<typeof loader>[0]);
  return requested;
}

test("the home page reads the five newest testimonials, and no sixth", async () => {
  const reads = await readsOf([]);
  const testimonials = reads.filter(({ pathname }) => pathname === "/rest/v1/testimonials");
  expect(testimonials.map(({ searchParams }) => searchParams.get("limit"))).toEqual(["5"]);
});

test("where samples are off, the stored ones are not read either", async () => {
  const filters = (await readsOf([], false)).map(({ searchParams }) =>
    searchParams.get("is_sample"),
  );
  expect(filters).toContain("is.false");
  const all = (await readsOf([])).map(({ searchParams }) => searchParams.get("is_sample"));
  expect(all).not.toContain("is.false");
});

test("the home page sends no rows of pages that are switched off", async () => {
  expect(await readsOf(["blog", "testimonials"])).toEqual([]);
});
