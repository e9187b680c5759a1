// The archive in a site of its own, because other tests change what it has.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator } from "@playwright/test";
import { keepCopies } from "../../kept-copies.ts";
import { createTemporaryFolder } from "../../temporary-folder.ts";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, logIn } from "./owner.ts";

const test = ownSiteTest();

// The frame runs no scripts, not even those of the test.
test.use({ expectedErrors: /Blocked script execution in 'about:srcdoc'/ });

/** Whether the image, the style sheet and its font are those of the copy. */
async function expectLook(page: Locator) {
  const look = () =>
    page.evaluate((element: HTMLIFrameElement | HTMLElement) => {
      const shown = "contentDocument" in element ? element.contentDocument : document;
      const heading = shown?.querySelector("h1");
      return [
        shown?.querySelector("img")?.naturalWidth,
        heading && shown?.defaultView?.getComputedStyle(heading).color,
        [...(shown?.fonts ?? [])].map(({ status }) => status).join(),
      ];
    });
  await expect.poll(look).toEqual([1, "rgb(1, 2, 3)", "loaded"]);
}

test("the owner reads a page as it was, finds its words, and exports it for somebody without the site", async ({
  page,
  browser,
  site,
}) => {
  await keepCopies(site.dataDir, [
    ["/other", "Only for a while.", "Other page"],
    ["/kept", "Formerly quibbled.", "Kept page"],
    ["/kept", "Now agreed.", "Kept page"],
    ["/other", null],
  ]);
  await logIn(page, "/manage/archive");
  const main = page.getByRole("main");
  const frame = page.frameLocator("iframe");
  const kept = main.getByRole("link", { name: "Kept page" });
  await expect(main.getByText(/^\d+ versions of pages since .*Last checked/)).toBeVisible();
  await expect(main.getByRole("note")).toHaveCount(0);
  await main.getByLabel("Date").fill("2020-01-01");
  await main.getByLabel("Time").press("Enter");
  await expect(main.getByText("The archive has no page of that time")).toBeVisible();
  await main.getByLabel("Date").fill("2199-01-01");
  await main.getByRole("button", { name: "Show the site" }).click();
  await expect(main.getByRole("link", { name: "Other page" })).toHaveCount(0);
  expect(await findingsOf(page)).toEqual([]);
  await kept.click();
  await expect(frame.getByText("Now agreed.")).toBeVisible();
  await expectLook(main.locator("iframe"));
  const file = page.waitForEvent("download");
  await frame.getByRole("link", { name: "Form CRS" }).click();
  expect(await readFile(await (await file).path(), "utf8")).toBe("%PDF-1.7");
  expect(await findingsOf(page)).toEqual([]);

  await frame.getByRole("link", { name: "Read the other page" }).click();
  await expect(main.getByText("There was no such page then")).toBeVisible();
  await page.goBack();
  await main.getByRole("link", { name: "Earlier copy", exact: true }).click();
  await expect(frame.getByText("Formerly quibbled.")).toBeVisible();
  await frame.getByRole("link", { name: "Read the other page" }).click();
  await expect(main.getByRole("heading", { name: "Other page" })).toBeVisible();
  await expect(frame.getByText("Only for a while.")).toBeVisible();
  await page.goBack();
  await main.getByRole("link", { name: "Later copy" }).click();
  await expect(frame.getByText("Now agreed.")).toBeVisible();
  await main.getByRole("link", { name: "Differences from the earlier copy" }).click();
  await expect(main.locator("del")).toHaveText(["Formerly", "quibbled"]);
  await expect(main.locator("ins")).toHaveText(["Now", "agreed"]);
  expect(await findingsOf(page)).toEqual([]);

  await main.getByRole("link", { name: "All pages at that time" }).click();
  await main.getByRole("searchbox").fill("quibbled");
  await main.getByRole("searchbox").press("Enter");
  await expect(main.getByText("Copies with “quibbled”: 1")).toBeVisible();
  await kept.click();
  await expect(frame.getByText("Formerly quibbled.")).toBeVisible();
  await page.goBack();

  const download = page.waitForEvent("download");
  await main.getByRole("button", { name: "Export" }).click();
  const folder = await createTemporaryFolder("export");
  execFileSync("unzip", ["-q", await (await download).path(), "-d", folder]);
  await expect(main.getByText("The file is complete.")).toBeVisible();
  execFileSync("sha256sum", ["-c", "--quiet", "SHA256SUMS"], { cwd: folder });

  const other = await browser.newPage();
  const requests: string[] = [];
  other.on("request", (request) => requests.push(request.url()));
  await other.goto(pathToFileURL(join(folder, "index.html")).href);
  expect(await findingsOf(other)).toEqual([]);
  const copies = other.getByRole("row", { name: "Kept page" });
  await expect(copies).toHaveCount(2);
  await copies.first().getByRole("link").click();
  await expect(other.getByText("Formerly quibbled.")).toBeVisible();
  await expectLook(other.locator("body"));
  const pdf = await other.getByRole("link", { name: "Form CRS" }).getAttribute("href");
  expect(await readFile(join(folder, "pages", pdf ?? ""), "utf8")).toBe("%PDF-1.7");
  expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);
  await other.close();
});
