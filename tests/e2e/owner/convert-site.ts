// Turns a new site into another firm's, using the screens as its owner does.
import type { Page } from "@playwright/test";
import { defaultSettings } from "../../../app/config/site.ts";
import { sectionNames } from "../../../app/config/site-schema.ts";
import { otherFirm } from "../../other-firm.ts";
import { findingsOf } from "../access/axe.ts";
import { expect, toast } from "../test.ts";
import { fillSection, openSection } from "./fill-settings.ts";
import { fillLogin, logIn } from "./owner.ts";

/** The preview beside a form, which loads the site again in each, needs 1200 pixels. */
const withoutPreview = { width: 1000, height: 900 };

/** Goes from the home page to the first step of the setup. */
export async function signInForSetup(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Admin Login" }).click();
  // The form of the home page has an email field as well.
  await page.getByRole("heading", { name: "Admin Access" }).waitFor();
  await fillLogin(page);
  await page.getByRole("link", { name: "Start the setup" }).click();
}

/** The steps of the setup. One is left and resumed, one skipped, and one removes the sample content. */
export async function followSetup(page: Page): Promise<void> {
  const { firm, look, home, adviser, contact, licenses } = otherFirm;
  const main = page.getByRole("main");
  const step = (title: string) => page.getByRole("heading", { level: 2, name: title }).waitFor();
  const goOn = () => page.getByRole("button", { name: "Publish and continue" }).click();
  const fill = (label: string, value: string) => main.getByLabel(label).fill(value);

  await page.setViewportSize(withoutPreview);
  await step("Your firm");
  await goOn();
  const name = main.getByLabel("Name of the firm");
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/Fill this in\.$/);
  await name.fill(` ${firm.name} `);
  await fill("Short name", firm.shortName);
  await goOn();

  await step("About you");
  await expect(page.getByText("Not read yet")).toBeVisible();
  // Of what this step shows.
  const warning = /not read what came with your site: Opening of your message\. You can publish/;
  await expect(page.getByText(warning)).toBeVisible();
  await fill("Your full name", adviser.name);
  // By key, because the toast of the login covers the button.
  await page.getByRole("button", { name: "Save and leave" }).press("Enter");
  await expect(page).toHaveURL("/manage");
  await page.getByRole("link", { name: "Go on with the setup" }).click();
  await expect(page).toHaveURL("/manage/setup?step=adviser");
  await expect(main.getByLabel("Your full name")).toHaveValue(adviser.name);
  await goOn();

  await step("How to reach you");
  await fill("Street (optional)", contact.street);
  await page.getByLabel("Show the street and postal code").uncheck();
  await fill("Phone", contact.phone);
  await goOn();

  await step("Your licenses");
  const [license] = licenses.licenses;
  const row = page.getByRole("group", { name: "License 1" });
  for (const added of [row, page.getByRole("group", { name: "License 2" })]) {
    await page.getByRole("button", { name: "Add license" }).click();
    await expect(added.getByLabel("State")).toBeFocused();
  }
  await page.getByRole("button", { name: "Remove License 1" }).click();
  await row.getByLabel("State").fill(license?.state ?? "");
  await fill("National Producer Number", licenses.npn);
  await goOn();
  await expect(row.getByLabel("Type")).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);
  await row.getByLabel("Type").fill(license?.type ?? "");
  await goOn();

  await step("Sample content");
  await page.getByRole("button", { name: "Remove all sample content" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Remove all sample content?" });
  await expect(dialog).toContainText("8 sample posts and 7 sample testimonials");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(toast(page, "Sample content removed")).toBeVisible();

  await step("Testimonials");
  await expect(page.getByRole("radio", { name: "After I have read them" })).toBeChecked();
  await goOn();

  await step("Your mail");
  await page.getByRole("button", { name: "Skip for now" }).click();

  await step("Photo and colors");
  await page.setViewportSize({ width: 1280, height: 900 });
  // The preview beside the questions shows what was entered.
  const preview = page.frameLocator('iframe[title="Preview of Your message"]');
  await expect(preview.getByRole("heading", { name: adviser.name })).toBeVisible();
  await page.getByRole("textbox", { name: /^Main color/ }).fill(look.mainColor ?? "");
  await goOn();

  await step("First impression");
  await fill("Headline", home.headline);
  await expect(main.getByRole("group", { name: "Main picture" })).toBeVisible();
  await goOn();

  await expect(page.getByText("What you skipped stays here")).toBeVisible();
  const picture = page.frameLocator('iframe[title="Preview of Home"]');
  await expect(picture.getByRole("heading", { name: home.headline })).toBeVisible();
  await expect(page.getByRole("link", { name: "Look at your site" })).toBeVisible();
  await expect(page.getByRole("link", { name: /Sample content\s*Done/ })).toBeVisible();
  await page.getByRole("link", { name: /Your mail\s*To do/ }).click();
  await step("Your mail");
}

/** Fills in all settings and publishes them together. */
export async function fillSettings(page: Page): Promise<void> {
  await page.setViewportSize(withoutPreview);
  await logIn(page, "/manage/settings");
  for (const section of sectionNames) {
    await openSection(page, section);
    if (section === "home") await markRead(page);
    await fillSection(page, section, otherFirm[section]);
    if (section === "services") await changeServices(page);
    if (section === "pages") {
      const result = page.getByRole("figure", { name: "Contact in search results" });
      await expect(result).toContainText(otherFirm.pages.contact.title);
      // Of an empty field.
      await expect(result).toContainText(`How to reach ${otherFirm.adviser.name}`);
    }
  }
  await page.getByRole("button", { name: "Publish all changes" }).click();
  await expect(toast(page, "Published")).toBeVisible();
}

/** The starting texts of the home page are marked until the owner says that she has read them. */
async function markRead(page: Page): Promise<void> {
  const marks = page.getByText("Not read yet");
  await expect(marks).toHaveCount(13);
  await page.getByRole("button", { name: "I have read all texts of Home page" }).click();
  await expect(marks).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  // At once, because nothing else was changed.
  await expect(toast(page, "Marked as read")).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish changes" })).toBeDisabled();
}

/** Five of the seven services are deleted and another one is added. */
async function changeServices(page: Page): Promise<void> {
  const added = otherFirm.services.items.at(-1);
  if (!added) throw new Error("The other firm has no services");
  await page.getByRole("button", { name: "Add service" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a service" });
  await dialog.getByLabel("Title").fill(added.title);
  await dialog.getByLabel("Address of the page").fill(added.slug);
  await dialog.getByRole("button", { name: "Add service" }).click();
  const service = page.getByRole("listitem").filter({ hasText: `/services/${added.slug}` });
  await service.getByLabel("Description (optional)", { exact: true }).fill(added.description);
  await service.getByText("Icon").first().click();
  await service.getByRole("radio", { name: "Leaf" }).press("Space");
  await service.getByText("Description on the page").click();
  await service.getByLabel("Full description").fill(added.fullDescription);

  const kept = otherFirm.services.items.map(({ slug }) => slug);
  for (const { slug, title } of defaultSettings.services.items) {
    if (kept.includes(slug)) continue;
    const redirect = otherFirm.services.redirects.find(({ from }) => from === slug);
    await deleteService(page, title, redirect?.to ? added.title : "All services (/services)");
  }
}

async function deleteService(page: Page, title: string, leadsTo: string): Promise<void> {
  await page.getByRole("button", { name: `More actions for ${title}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${title}?` });
  await dialog.getByLabel(/Where should its page lead/).selectOption(leadsTo);
  await dialog.getByRole("button", { name: "Delete service" }).click();
}
