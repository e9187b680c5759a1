// An owner fills in all settings of a new site on the screens, and its pages suit that firm.
import { defaultSettings, startingSettings } from "../../app/config/site.ts";
import { placesOf } from "../../app/manage/manage-pages.ts";
import { removeSamples } from "../../app/manage/samples/samples.ts";
import { fictionalTextsIn } from "../crawl.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { newPost } from "../post-calls.ts";
import { findingsOf } from "./access/axe.ts";
import { sendContactForm, submitReview } from "./forms.ts";
import { ownSiteTest } from "./own-site.ts";
import { fillSettings } from "./owner/convert-site.ts";
import { expect, navigate, toast } from "./test.ts";

const test = ownSiteTest();

test.use({ actionTimeout: 20_000 });

test("on the screens alone, the owner enters every setting of another firm", async ({
  page,
  owner,
}) => {
  test.slow();
  // From now on the forms have the starting texts in place of the fictional firm's.
  await publishSettings(owner, { firm: { name: otherFirm.firm.name } });
  await removeSamples(owner, defaultSettings.testimonials);
  await test.step("fill in and publish all settings", () => fillSettings(page));
  await test.step("what is stored is what was entered", async () => {
    const { data } = await owner.from("site_settings").select("section, document").throwOnError();
    const stored = Object.fromEntries(data.map(({ section, document }) => [section, document]));
    // What no form shows keeps its starting value, and what was not changed is not published.
    const adviser = { ...otherFirm.adviser, starter: true };
    const home = { ...otherFirm.home, hero: startingSettings.home.hero };
    expect(stored).toEqual({ ...otherFirm, adviser, home, site: undefined });
  });
  await test.step("a page that has the former phone number is named once there is a new one", async () => {
    const content = [{ type: "paragraph", text: "Call us: 212.555.0187." }];
    await owner
      .from("posts")
      .insert(newPost({ title: "Office hours", content }))
      .throwOnError();
    await navigate(page, "/manage/settings/contact");
    await page.getByRole("textbox", { name: /^Phone/ }).fill("(212) 555-0199");
    await page.getByRole("button", { name: "Publish changes" }).click();
    const note = page.getByRole("status").filter({ hasText: "Your site still has" });
    await expect(note).toContainText(otherFirm.contact.phone);
    // By key, because the toast may cover the link.
    await note.getByRole("link", { name: "the post “Office hours”" }).press("Enter");
    await expect(page).toHaveURL(/\/blog\/.+\/edit$/);
  });
  await test.step("no page of the owner names the fictional firm", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const { to } of placesOf("owner").flatMap(({ tabs }) => tabs)) {
      await navigate(page, to);
      await expect(page).toHaveURL(to);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText(/^(Loading|Searching|Checking)/)).toHaveCount(0);
      expect(fictionalTextsIn(await page.locator("body").innerText())).toEqual([]);
    }
  });
});

test("pages, forms and print suit another firm", async ({ page, owner }) => {
  await publishSettings(owner, otherFirm);
  await removeSamples(owner, otherFirm.testimonials);
  await owner.from("posts").insert(newPost()).throwOnError();
  await test.step("a visitor's review waits for approval, and a message is sent", async () => {
    await page.goto("/testimonials");
    await expect(page.getByText(otherFirm.testimonials.invitation)).toBeVisible();
    await page.getByRole("button", { name: "Leave a Review" }).click();
    await page.getByRole("button", { name: "Submit Review" }).click();
    const stars = page.getByRole("radio", { name: "1 star" });
    await expect(stars).toHaveAccessibleDescription("Please choose 1 to 5 stars.");
    await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await submitReview(page, "Ada", "They read it aloud.");
    await expect(toast(page, "Review Submitted!")).toContainText("if it is published");
    await expect(page.getByText("They read it aloud.")).toBeHidden();
    await page.goto("/contact");
    await sendContactForm(page, { email: "ada@example.com" });
    await expect(toast(page, "Message Sent!")).toBeVisible();
  });
  await test.step("the home page fits every width and is accessible", async () => {
    await page.goto("/");
    expect(await findingsOf(page)).toEqual([]);
    for (const width of [320, 390, 820, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      // FINRA 2210(d)(8): readily apparent on the page where visitors enter.
      await expect(page.getByRole("link", { name: /BrokerCheck/ })).toBeInViewport({ ratio: 1 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    }
  });
  await test.step("the printed footer has the licenses with the addresses of their registers", async () => {
    await page.emulateMedia({ media: "print" });
    const register = page.getByRole("contentinfo").getByRole("link", { name: /no. LA-100/ });
    await expect(register).toBeVisible();
    const address = await register.evaluate((link) => getComputedStyle(link, "::after").content);
    expect(address).toContain("https://register.example/LA-100");
    await page.emulateMedia({ media: null });
  });
  await test.step("the home page has a short header at 320 pixels, and no section without reviews", async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto("/");
    const header = page.getByRole("banner");
    await expect(header.getByText("Brightwater", { exact: true })).toBeVisible();
    await expect(header.locator("summary")).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: /previous|next/i })).toHaveCount(0);
    await expect(page.locator("#blog")).toBeVisible();
    await expect(page.locator("#testimonials")).toBeHidden();
    // Nothing leads to a page without reviews.
    const links = page.getByRole("contentinfo").getByRole("link", { name: "Testimonials" });
    await expect(links).toHaveCount(0);
  });
});
