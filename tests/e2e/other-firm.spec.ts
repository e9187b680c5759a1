// The layout of a firm that differs from the default in every way that a layout can notice. The test starts a site of
// its own, because every page of it changes.
import type { ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { findingsOf } from "./access/axe.ts";
import { expect, test } from "./test.ts";

let folder: string;
let site: ChildProcess;
let siteUrl: string;
let owner: SupabaseClient;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  folder = await createTemporaryFolder("other-firm-e2e");
  const port = await freePort();
  siteUrl = `http://127.0.0.1:${port}`;
  const account = { email: "desk@brightwater.example", password: "a-password-for-tests" };
  site = await startSite(port, {
    DATA_DIR: join(folder, "data"),
    OWNER_EMAIL: account.email,
    OWNER_PASSWORD: account.password,
    SAMPLE_CONTENT: "off",
  });
  const html = await (await fetch(siteUrl)).text();
  const key = /name="supabase-anon-key" content="([^"]+)"/.exec(html)?.[1] ?? "";
  owner = createClient(siteUrl, key, { auth: { persistSession: false } });
  const { error } = await owner.auth.signInWithPassword(account);
  if (error) throw error;
  await publishSettings(owner, otherFirm);
});

test.afterAll(async () => {
  await stopSite(site);
  await rm(folder, { recursive: true, force: true });
});

// biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture uses.
test.use({ baseURL: async ({}, use) => use(siteUrl) });

const pages = ["/", "/services", "/services/farm-succession", "/testimonials", "/contact"];

for (const path of pages) {
  test(`${path} of another firm fits every width and is accessible`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const width of [320, 390, 820, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    }
    // The services share their parts with the home page.
    if (!path.startsWith("/services")) expect(await findingsOf(page)).toEqual([]);
  });
}

test("at 320 pixels the header shows the short name and the menu", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/");
  const header = page.getByRole("banner");
  await expect(header.getByText("Brightwater", { exact: true })).toBeVisible();
  await expect(header.locator("summary")).toBeInViewport({ ratio: 1 });
});

test("an empty site invites to the first review and shows no empty carousel", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: /previous|next/i })).toHaveCount(0);
  await expect(
    page.getByRole("heading", { name: `Have you worked with ${otherFirm.firm.name}?` }),
  ).toBeVisible();
});
