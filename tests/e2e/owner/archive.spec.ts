// The owner's page of the archive. What a site itself keeps, before and after a release, is in archive.long.spec.ts.
import { keepCopyOf } from "../../kept-copies.ts";
import { findingsOf } from "../access/axe.ts";
import { openPage } from "../test.ts";
import { expect, logIn, test } from "./owner.ts";

test("the owner reads a page as it was, compares its copies, finds their words and exports them", {
  tag: "@long",
}, async ({ page, site }) => {
  const main = page.getByRole("main");
  const frame = page.frameLocator("iframe");
  const found = main.getByRole("link", { name: "A page" });
  for (const words of ["Formerly quibbled.", "Now agreed."]) {
    await keepCopyOf(site.dataDir, "/kept", words);
  }
  await logIn(page, "/manage/archive");
  await expect(main.getByText(/^2 versions of pages since /)).toBeVisible();
  await expect(main.getByRole("note")).toContainText("The archive gets no new copies");
  await main.getByLabel("Date").fill("2020-01-01");
  await main.getByLabel("Time").press("Enter");
  await expect(main.getByText("The archive has no page of that time")).toBeVisible();
  await main.getByLabel("Date").fill("2199-01-01");
  await main.getByRole("button", { name: "Show the site" }).click();
  await expect(found).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await found.click();
  await expect(frame.getByText("Now agreed.")).toBeVisible();
  await main.getByRole("link", { name: "Earlier copy", exact: true }).click();
  await expect(frame.getByText("Formerly quibbled.")).toBeVisible();
  await main.getByRole("link", { name: "Later copy" }).click();
  await expect(frame.getByText("Now agreed.")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await main.getByRole("link", { name: "Differences from the earlier copy" }).click();
  await expect(main.locator("del")).toHaveText(["Formerly", "quibbled"]);
  await expect(main.locator("ins")).toHaveText(["Now", "agreed"]);
  expect(await findingsOf(page)).toEqual([]);

  await main.getByRole("link", { name: "All pages at that time" }).click();
  await main.getByRole("searchbox").fill("quibbled");
  await main.getByRole("searchbox").press("Enter");
  await expect(main.getByText("Copies with “quibbled”: ")).toBeVisible();
  await found.click();
  await expect(frame.getByText("Formerly quibbled.")).toBeVisible();
  await page.goBack();
  const download = page.waitForEvent("download");
  await main.getByRole("button", { name: "Export" }).click();
  await download;
  await expect(main.getByText("The file is complete.")).toBeVisible();

  // Nothing goes before the owner has read what.
  await openPage(page, "/manage/settings/site");
  await page.getByRole("radio", { name: "5 years" }).check();
  await expect(main.getByRole("note")).toContainText(
    "from 7 to 5 years, a week after you publish it",
  );
  await main.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(main.getByRole("note")).toHaveCount(0);
});
