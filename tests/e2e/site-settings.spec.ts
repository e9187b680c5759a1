// Published settings in open windows. The test starts a site of its own, because every page of it changes.
import type { ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { defaultSettings } from "../../app/config/site.ts";
import { publishSettings } from "../other-firm.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { followChanges } from "./follow-changes.ts";
import { expect, test, waitForHydration } from "./test.ts";

let folder: string;
let site: ChildProcess;
let siteUrl: string;
let owner: SupabaseClient;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  folder = await createTemporaryFolder("site-settings");
  const port = await freePort();
  siteUrl = `http://127.0.0.1:${port}`;
  const account = { email: "owner@example.com", password: "a-password-for-tests" };
  site = await startSite(port, {
    DATA_DIR: join(folder, "data"),
    OWNER_EMAIL: account.email,
    OWNER_PASSWORD: account.password,
  });
  const html = await (await fetch(siteUrl)).text();
  const key = /name="supabase-anon-key" content="([^"]+)"/.exec(html)?.[1] ?? "";
  owner = createClient(siteUrl, key, { auth: { persistSession: false } });
  const { error } = await owner.auth.signInWithPassword(account);
  if (error) throw error;
});

test.afterAll(async () => {
  await stopSite(site);
  await rm(folder, { recursive: true, force: true });
});

test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED/ });

// biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture uses.
test.use({ baseURL: async ({}, use) => use(siteUrl) });

/** Publishes a name that no earlier test used. */
async function publishName(name: string): Promise<void> {
  await publishSettings(owner, { firm: { ...defaultSettings.firm, name } });
}

test("an open page with a live connection shows a published change at once", async ({ page }) => {
  const feed = followChanges(page);
  await page.goto("/");
  await feed.connected("site_settings");
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
