import { readFile, truncate, writeFile } from "node:fs/promises";
import { toast } from "../test.ts";
import { choose, discardDraft, expect, logIn, test, uniqueTitle } from "./owner.ts";

const pdf = Buffer.from("%PDF-1.7\nForm CRS");
const fileNamed = (name: string, buffer = pdf) => ({ name, mimeType: "application/pdf", buffer });

// A file that is gone, in Storage as well, and the free slug.
test.use({ expectedErrors: /status of 40[046]/ });

test("a PDF is attached to a page, and visitors download it, also without scripts, until the page is deleted", {
  tag: "@long",
}, async ({ page, browser, baseURL, siteUrl }) => {
  const title = uniqueTitle("Form CRS");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const dialog = page.getByRole("dialog", { name: "Add a link" });
  const file = dialog.getByLabel("Or attach a PDF");
  let address = "";

  await test.step("it is attached in the dialog for links", async () => {
    await logIn(page, "/manage/pages/new");
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Content").fill("Read ");
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await file.setInputFiles(fileNamed("Form CRS.pdf", Buffer.from("<script>")));
    await expect(dialog.getByText("This file is not a PDF.")).toBeVisible();
    const large = test.info().outputPath("large.pdf");
    await writeFile(large, pdf);
    await truncate(large, 1.1e7);
    await file.setInputFiles(large);
    await expect(dialog.getByText("The PDF is too large: at most 10 MB.")).toBeVisible();
    await file.setInputFiles(fileNamed("Form CRS.pdf"));
    await expect(dialog.getByText("Attached: Form CRS (PDF)")).toBeVisible();
    address = await dialog.getByLabel("Address, or the name").inputValue();
    expect(address).toMatch(/^\/files\/form-crs-[0-9a-f]{16}\.pdf$/);
    await dialog.getByRole("button", { name: "Add link" }).click();
    const link = page.getByLabel("Content").getByRole("link", { name: "Form CRS (PDF)" });
    await expect(link).toHaveAttribute("href", address);
    await page.getByRole("button", { name: "Publish Page" }).click();
    await expect(toast(page, "Success! 🚀")).toBeVisible();
  });
  for (const javaScriptEnabled of [true, false]) {
    await test.step(`a visitor downloads it, with scripts: ${javaScriptEnabled}`, async () => {
      const context = await browser.newContext({ baseURL, javaScriptEnabled });
      const visitor = await context.newPage();
      await visitor.goto(`/${slug}`);
      const started = visitor.waitForEvent("download");
      await visitor.getByRole("main").getByRole("link", { name: "Form CRS (PDF)" }).click();
      const download = await started;
      expect(download.suggestedFilename()).toBe("form-crs.pdf");
      expect(await readFile(await download.path())).toEqual(pdf);
      await context.close();
    });
  }
  await test.step("deleting the page takes the file away, and undoing that brings it back", async () => {
    const row = page.getByRole("main").getByRole("listitem").filter({ hasText: title });
    const statusOf = async () => (await fetch(new URL(address, siteUrl))).status;
    await choose(row, "Delete");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(statusOf).toBe(404);
    await toast(page, "Page Deleted").getByRole("button", { name: "Undo" }).click();
    await expect.poll(statusOf).toBe(200);
    await choose(row, "Delete");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(statusOf).toBe(404);
  });
  await test.step("a link to a file that is gone is named", async () => {
    await page.goto("/manage/pages/new");
    await page.getByLabel("Content").fill("Read ");
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await dialog.getByLabel("Address, or the name").fill(address);
    await dialog.getByRole("button", { name: "Add link" }).click();
    await expect(page.getByText(`this site has no file ${address}.`)).toBeVisible();
    await discardDraft(page);
    await expect(page).toHaveURL("/manage/pages");
  });
});
