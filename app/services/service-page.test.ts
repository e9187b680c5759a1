import { expect, test } from "vitest";
import { siteContext } from "../config/request-context.ts";
import { defaultSettings } from "../config/site.ts";
import { changeSlug } from "../manage/settings/services.ts";
import { clientLoader, loader } from "./service-page.tsx";

test("browsers keep no redirect of a renamed service, which may get its address back", async () => {
  const renamed = changeSlug(defaultSettings.services, "life-insurance", "income", true);
  for (const [services, from, to] of [
    [renamed, "life-insurance", "income"],
    [changeSlug(renamed, "income", "life-insurance", true), "income", "life-insurance"],
  ] as const) {
    const load = async (slug: string) => {
      const context = new Map([[siteContext, { settings: { ...defaultSettings, services } }]]);
      // Only what the loader uses.
      return loader({ context, params: { slug } } as never);
    };
    expect((await load(to)).service.slug).toBe(to);
    const thrown = await load(from).catch((error) => error);
    expect([thrown.status, thrown.headers.get("location")]).toEqual([302, `/services/${to}`]);
  }
});

test("a failure to load is a value, which a page that was left does not need", async () => {
  const error = new Error("Failed to fetch");
  const serverLoader = () => Promise.reject(error);
  const { service } = await clientLoader({ serverLoader } as never);
  expect(await service).toEqual({ error });
});
