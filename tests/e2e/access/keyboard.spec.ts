// Operates the site by keyboard only: no test here clicks.
import type { Locator, Page } from "@playwright/test";
import { imageFile, logIn, uniqueTitle } from "../owner/owner.ts";
import { expect, openPage, test, toast } from "../test.ts";

// With motion, so that menus, dialogs and toasts also open and close with it.
test.use({ expectedErrors: /status of 40[06]/, reducedMotion: "no-preference" });

test("the skip link, a page and a section move the focus, and a page is announced", async ({
  page,
}) => {
  await openPage(page, "/contact");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  // An entry that the router did not add would let Back leave a form with unsaved changes.
  await expect(page).toHaveURL("/contact");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);

  const services = page.getByRole("banner").getByRole("link", { name: "Services" });
  await pressOn(page, services, "Shift+Tab");
  await expect(page).toHaveURL("/services");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.locator("[aria-live=polite]").filter({ hasText: /Services/ })).toBeAttached();
  await page.goBack();
  await expect(page.getByRole("main")).toBeFocused();
  await pressOn(page, page.getByRole("contentinfo").getByRole("link", { name: "About" }).first());
  await expect(page).toHaveURL("/#about");
  await expect(page.locator("#about")).toBeFocused();
});

test("the menu of a small screen opens, closes together with its focus, and its links work", {
  tag: "@long",
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openPage(page, "/");
  const summary = page.locator("summary", { hasText: "Menu" });
  await tabTo(page, summary);
  await page.keyboard.press("Enter");
  const contact = page.getByRole("banner").getByRole("link", { name: "Contact", exact: true });
  await expect(contact).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(contact).toBeHidden();
  await expect(summary).toBeFocused();

  await page.keyboard.press("Enter");
  await pressOn(page, contact);
  await expect(page).toHaveURL("/contact");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(contact).toBeHidden();
});

test("the focused element is never covered by the header or the bottom bar", {
  tag: "@long",
}, async ({ page }) => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    await openPage(page, "/");
    for (const key of ["Tab", "Shift+Tab"]) {
      for (let step = 0; step < 30; step++) {
        await page.keyboard.press(key);
        await expect.poll(() => page.evaluate(describeFocusCover)).toBe("");
      }
    }
  }
});

test("a review can be submitted by keyboard, from the stars to the toast", {
  tag: "@long",
}, async ({ page, rows }) => {
  const name = `Ada ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  await openPage(page, "/testimonials");
  const opener = page.getByRole("button", { name: "Leave a Review" });
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });
  await pressOn(page, opener);
  await expect(dialog).toBeVisible();
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press("Enter");
  await tabTo(page, dialog.getByRole("radio", { name: "5 stars" }));
  await page.keyboard.press("ArrowLeft");
  await expect(dialog.getByRole("radio", { name: "4 stars" })).toBeChecked();
  await tabTo(page, dialog.getByLabel("Your Name"));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Please check 2 answers:");
  await expect(dialog.getByLabel("Your Name")).toBeFocused();
  await page.keyboard.type(name);
  await tabTo(page, dialog.getByLabel("Your Review"));
  await page.keyboard.type("She drew it on a napkin.");
  await pressOn(page, dialog.getByRole("button", { name: "Submit Review" }));

  const notice = toast(page, "Review Submitted!");
  await expect(notice).toBeVisible();
  // F6 focuses the toasts. A toast does not close while it has focus.
  await page.keyboard.press("F6");
  await pressOn(page, notice.getByRole("button", { name: "Close" }));
  await expect(notice).toBeHidden();
  await expect(page.getByText(name)).toBeVisible();
});

test("the owner writes and deletes a post", { tag: "@long" }, async ({ page }) => {
  const title = uniqueTitle("By keyboard");
  // Wait for the file dialog before the key is pressed: Playwright misses one that opens earlier.
  const chooser = page.waitForEvent("filechooser");
  await logIn(page, "/blog/new");
  await tabTo(page, page.getByLabel("Title"));
  await page.keyboard.type(title);
  // The form is not sent: the text follows.
  await page.keyboard.press("Enter");
  await page.keyboard.type("Words.");
  await tabTo(page, page.getByRole("button", { name: /choose a file/ }));
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(imageFile());
  await expect(page.locator("form").getByText("Image Uploaded")).toBeVisible();
  await tabTo(page, page.getByLabel("Category"));
  await page.keyboard.type("Testing");
  await pressOn(page, page.getByRole("button", { name: "Publish Post" }));
  await expect(page).toHaveURL("/blog");

  await pressOn(
    page,
    page.getByRole("article").filter({ hasText: title }).getByRole("link").first(),
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const remove = page.getByRole("button", { name: /^Delete/ });
  await pressOn(page, remove);
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(remove).toBeFocused();
  await page.keyboard.press("Enter");
  await pressOn(page, dialog.getByRole("button", { name: "Continue" }));
  await expect(toast(page, "Post Deleted")).toBeVisible();
  await expect(page).toHaveURL("/blog");
});

async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  for (let step = 0; step < 120; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reached ${target}`);
}

async function pressOn(page: Page, target: Locator, key?: string): Promise<void> {
  await tabTo(page, target, key);
  await page.keyboard.press("Enter");
}

/** Describes the element that covers the middle of the focused one; empty when it is visible. */
function describeFocusCover(): string {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "";
  // A link that wraps has no single middle point.
  const { left, top, width, height } = focused.getClientRects()[0] ?? new DOMRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!above) return `${focused.outerHTML.slice(0, 80)} out of view`;
  const seen = focused.contains(above) || above.contains(focused);
  return seen ? "" : `${focused.outerHTML.slice(0, 80)} below ${above.outerHTML.slice(0, 80)}`;
}
