// Published settings in open windows.
import type { SupabaseClient } from "@supabase/supabase-js";
import { defaultSettings } from "../../app/config/site.ts";
import { publishSettings } from "../other-firm.ts";
import { followChanges } from "./follow-changes.ts";
import { test } from "./own-site.ts";
import { expect, waitForHydration } from "./test.ts";

test.describe.configure({ mode: "serial" });
test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED/ });

let owner: SupabaseClient;

test.beforeEach(({ owner: client }) => {
  owner = client;
});

/** Publishes a name that no earlier test used. */
async function publishName(name: string): Promise<void> {
  await publishSettings(owner, { firm: { ...defaultSettings.firm, name } });
}

test("an open page with a live connection shows a published change at once", async ({ page }) => {
  const feed = followChanges(page);
  await page.goto("/");
  await feed.connected("public_site_settings");
  await publishName("Brightwater Live");
  await expect(page.getByRole("banner")).toContainText("Brightwater Live");
});

test("an open page without a live connection shows it when the visitor returns to it", async ({
  page,
}) => {
  await page.goto("/services");
  await waitForHydration(page);
  await publishName("Brightwater Services");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByRole("banner")).toContainText("Brightwater Services");
});

test("a page keeps the settings that it shows when the server does not respond", async ({
  page,
  context,
}) => {
  await page.goto("/services");
  await waitForHydration(page);
  await context.setOffline(true);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Services");
});

test("a window that shows a published change tells the other windows of the browser", async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  // Its own comparisons never get a response.
  await other.route("**/site-version", () => {});
  for (const window of [page, other]) {
    await window.goto("/services");
    await waitForHydration(window);
  }
  await publishName("Brightwater Windows");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(other.getByRole("banner")).toContainText("Brightwater Windows");
});
