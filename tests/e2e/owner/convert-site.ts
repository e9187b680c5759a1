// Turns a new site into another firm's, using the screens as its owner does.
import type { Page } from "@playwright/test";
import { defaultSettings } from "../../../app/config/site.ts";
import { sectionNames } from "../../../app/config/site-schema.ts";
import { otherFirm } from "../../other-firm.ts";
import { expect, toast } from "../test.ts";
import { fillSection, openSection } from "./fill-settings.ts";
import { fillLogin } from "./owner.ts";

/** Goes from the home page to the first step of the setup. */
export async function signInForSetup(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Admin Login" }).click();
  // The form of the home page has an email field as well.
  await page.getByRole("heading", { name: "Admin Access" }).waitFor();
  await fillLogin(page);
  await page.getByRole("link", { name: "Start the setup" }).click();
}

/** The steps of the setup. The sample content is removed in one of them. */
export async function followSetup(page: Page): Promise<void> {
  const { firm, adviser, contact, licenses, mail } = otherFirm;
  const step = (title: string) => page.getByRole("heading", { level: 2, name: title }).waitFor();
  const goOn = () => page.getByRole("button", { name: "Publish and continue" }).click();
  const fill = (label: string, value: string) =>
    page.getByRole("main").getByLabel(label).fill(value);

  await step("Your firm");
  await fill("Name of the firm", firm.name);
  await fill("Short name", firm.shortName);
  await goOn();

  await step("About you");
  await fill("Your full name", adviser.name);
  await goOn();

  await step("How to reach you");
  await fill("Street (optional)", contact.street);
  await page.getByLabel("Show the street and postal code").uncheck();
  await fill("Phone", contact.phone);
  await goOn();

  await step("Your licenses");
  const [license] = licenses.licenses;
  await page.getByRole("button", { name: "Add license" }).click();
  await fill("State", license?.state ?? "");
  await fill("Type", license?.type ?? "");
  await fill("National Producer Number", licenses.npn);
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
  for (const [index, recipient] of mail.recipients.entries()) {
    await page.getByRole("button", { name: "Add address" }).click();
    await page.getByLabel(`Address ${index + 1}`, { exact: true }).fill(recipient);
  }
  await goOn();

  await step("Photo and colors");
  // The preview beside the questions shows what was entered.
  const preview = page.frameLocator('iframe[title="Preview of Your message"]');
  await expect(preview.getByRole("heading", { name: adviser.name })).toBeVisible();
  await page.getByRole("textbox", { name: /^Main color/ }).fill(firm.mainColor ?? "");
  await goOn();
  await expect(page.getByText("Your part is done.")).toBeVisible();
}

/** Fills in all other settings and publishes them together. Starts at the list of settings. */
export async function fillSettings(page: Page): Promise<void> {
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
    await page.getByRole("link", { name: "All settings" }).click();
  }
  await page.getByRole("button", { name: "Publish all changes" }).click();
  await expect(toast(page, "Published")).toBeVisible();
}

/** The starting texts of the home page are marked until the owner says that she has read them. */
async function markRead(page: Page): Promise<void> {
  const marks = page.getByText("Starting text, not read yet");
  await expect(marks).toHaveCount(13);
  await page.getByRole("button", { name: "I have read all texts of Home page" }).click();
  await expect(marks).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
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
  await page.getByRole("button", { name: `Delete ${title}` }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${title}?` });
  await dialog.getByLabel(/Where should its page lead/).selectOption(leadsTo);
  await dialog.getByRole("button", { name: "Delete service" }).click();
}
