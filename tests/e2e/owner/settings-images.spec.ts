// Images and services in the settings: cropping, uploading, and the list of services by keyboard.
import type { Page } from "@playwright/test";
import sharp, { type Metadata } from "sharp";
import { findingsOf } from "../access/axe.ts";
import { choose, closeAndRemoveDrafts, expect, logIn, test } from "./owner.ts";

test.afterEach(({ owner, page }) => closeAndRemoveDrafts(page, owner, ["look", "services"]));

/** A logo on a transparent background. */
function logoFile(width: number, height: number): Promise<Buffer> {
  const background = { r: 30, g: 74, b: 64, alpha: 0.6 };
  return sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
}

async function chooseLogo(page: Page, buffer: Buffer, mimeType = "image/png"): Promise<void> {
  await page.getByLabel("Logo file", { exact: true }).setInputFiles({
    name: mimeType.replace("/", "."),
    mimeType,
    buffer,
  });
}

function logoField(page: Page) {
  return page.getByRole("group", { name: "Logo", exact: true });
}

/** Accepts the crop and waits for the upload. @returns the address of the uploaded file */
async function useImage(page: Page): Promise<string> {
  const response = page.waitForResponse(
    (response) =>
      response.request().method() === "POST" &&
      response.url().includes("/storage/v1/object/images/"),
  );
  await page.getByRole("button", { name: "Use image" }).click();
  const url = (await response).url().replace("/object/", "/object/public/");
  await expect(logoField(page).getByRole("button", { name: "Replace Logo" })).toBeVisible();
  return url;
}

test.describe("an image of the settings", () => {
  test.use({ expectedErrors: /net::ERR|Uploading the image failed/ });

  test("is checked, cropped by keyboard, uploaded again after a failure, removed, and stored without metadata", {
    tag: "@long",
  }, async ({ page }) => {
    const alert = logoField(page).getByRole("alert");
    const logo = await logoFile(800, 400);
    // Too narrow for the preview.
    await page.setViewportSize({ width: 1000, height: 900 });
    await logIn(page, "/manage/settings/look");

    await test.step("a file that is not an image, and a damaged one", async () => {
      await chooseLogo(page, Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
      await expect(alert).toHaveText("This file is not a JPEG, PNG, GIF or WebP image.");
      await chooseLogo(page, logo.subarray(0, 60));
      await expect(alert).toHaveText(/damaged or incomplete/);
    });

    await test.step("a lost connection", async () => {
      await page.route("**/storage/v1/object/images/**", (route) => route.abort());
      await chooseLogo(page, logo);
      await page.getByRole("button", { name: "Use image" }).click();
      await expect(alert).toContainText("The connection was lost.");
      await page.unroute("**/storage/v1/object/images/**");
      await logoField(page).getByRole("button", { name: "Try again" }).click();
      await expect(logoField(page).getByRole("button", { name: "Replace Logo" })).toBeVisible();
    });

    await test.step("a square of a transparent logo, and an accessible form", async () => {
      await chooseLogo(page, logo);
      const dialog = page.getByRole("dialog", { name: "Crop: Logo" });
      await dialog.getByRole("radio", { name: "Square" }).press("Space");
      await dialog.getByRole("slider", { name: "Zoom" }).press("ArrowRight");
      await dialog.getByRole("application", { name: /^Frame/ }).press("ArrowLeft");
      const { width, height, hasAlpha, format } = await storedImage(await useImage(page));
      expect({ format, hasAlpha }).toEqual({ format: "png", hasAlpha: true });
      expect(width).toBe(height);
      expect(width).toBeLessThan(400);
      await page.getByRole("button", { name: "Earlier versions" }).click();
      await expect(page.getByText("Nothing was published yet.")).toBeVisible();
      expect(await findingsOf(page)).toEqual([]);
      await logoField(page).getByRole("button", { name: "Remove Logo" }).press("Enter");
      await expect(logoField(page).getByRole("button", { name: /choose a file/ })).toBeVisible();
    });

    await test.step("a photo from a phone", async () => {
      const create = { width: 900, height: 600, channels: 3, background: "#864" } as const;
      const sideways = sharp({ create })
        .jpeg()
        .withExif({ IFD0: { Make: "Secret Camera" }, IFD3: { GPSLatitude: "45/1 31/1 0/1" } })
        .withMetadata({ orientation: 6 });
      await chooseLogo(page, await sideways.toBuffer(), "image/jpeg");
      const { width, height, exif, format } = await storedImage(await useImage(page));
      expect({ width, height, exif, format }).toEqual({
        ...{ width: 600, height: 900, exif: undefined, format: "jpeg" },
      });
    });
  });
});

test("services are added, previewed, moved, deleted, renamed and marked as read by keyboard", {
  tag: "@long",
}, async ({ page, owner }) => {
  await logIn(page, "/manage/settings/services");
  const list = page.getByRole("main").getByRole("list", { name: "Services" });
  await page.getByRole("button", { name: "Add service" }).press("Enter");
  const added = page.getByRole("dialog", { name: "Add a service" });
  // The first field has the focus, so that a space is text and closes nothing.
  await page.keyboard.type("Long-Term Care");
  await expect(added.getByLabel(/^Address/)).toHaveValue("long-term-care");
  await added.getByLabel("Title").press("Enter");
  const row = list.getByRole("listitem").filter({ hasText: "Long-Term Care" });
  await expect(row.getByLabel("Title", { exact: true })).toBeFocused();

  // Beside the form, and on a phone in its place.
  const preview = page.frameLocator('iframe[title="Preview of Service"]');
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Long-Term Care");
  // Another page stays while she writes.
  const description = row.getByLabel(/^Description/);
  await description.focus();
  await page.getByRole("button", { name: "Home", exact: true }).click();
  await description.fill("Care at home.");
  const card = page.frameLocator('iframe[title="Preview of Home"]').getByText("Care at home.");
  await expect(card).toBeVisible();
  await page.getByRole("button", { name: "Service", exact: true }).click();
  await row.getByLabel("Tagline").fill("Care when you need it");
  await expect(preview.getByText("Care when you need it")).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole("button", { name: "Preview", exact: true }).press("Enter");
  const covering = page.getByRole("dialog", { name: "Preview" });
  await expect(covering.locator("iframe")).toBeInViewport();
  await expect(covering.frameLocator("iframe").getByText("Care when you need it")).toBeInViewport();
  await page.getByRole("button", { name: "Back to the form" }).press("Enter");
  await expect(page.getByRole("button", { name: "Preview", exact: true })).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 720 });

  const up = row.getByRole("button", { name: "Move Long-Term Care up" });
  await up.press("Enter");
  await expect(up).toBeFocused();
  await expect(page.getByText("Long-Term Care moved to place 7 of 8.")).toBeAttached();
  await row.getByText("Icon").first().click();
  await row.getByRole("radio", { name: "Stethoscope" }).press("Space");

  await choose(page.getByRole("main"), "Delete", /^More actions for Infinite Banking/);
  const dialog = page.getByRole("dialog", { name: "Delete Infinite Banking Concept (IBC)?" });
  await expect(dialog.getByLabel(/Where should its page lead/)).toBeFocused();
  await dialog.getByLabel(/Where should its page lead/).selectOption("Long-Term Care");
  await dialog.getByRole("button", { name: "Delete service" }).press("Enter");
  await expect(page.getByText("Infinite Banking Concept (IBC)", { exact: true })).toBeHidden();
  await expect(page.getByText(/\(IBC\) removed\. 7 left\./)).toBeAttached();

  const renamed = list.getByRole("listitem").first();
  await renamed.getByRole("button", { name: /^Life Insurance/ }).press("Enter");
  await renamed.getByLabel("Title", { exact: true }).fill("Annuities");
  await renamed.getByRole("button", { name: "Change it to /services/annuities" }).press("Enter");
  await expect(renamed.getByText("/services/annuities", { exact: true })).toBeFocused();
  await expect(renamed).toContainText("Not read yet");
  expect(await findingsOf(page)).toEqual([]);
  await renamed.getByRole("button", { name: "I have read all texts of Annuities" }).press("Enter");
  await expect(renamed.getByRole("button", { name: "Annuities", exact: true })).toBeFocused();
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish changes" })).toHaveAccessibleDescription(
    /“Long-Term Care” has no text on its page\. You can publish now/,
  );
  const drafts = owner.from("drafts").select("document").eq("thing", "services");
  const { data } = await drafts.single().throwOnError();
  const { items, redirects } = Object(data?.document);
  expect(items[0]).toMatchObject({ slug: "annuities", title: "Annuities", starter: false });
  expect(redirects).toContainEqual({ from: "life-insurance", to: "annuities" });
});

async function storedImage(url: string): Promise<Metadata> {
  return sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();
}
