import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { toast } from "../test.ts";
import { expect, logIn, test, uniqueTitle } from "./owner.ts";

test("a review is deleted after the confirm dialog, unless nothing was deleted or it is a sample", async ({
  page,
  rows,
}) => {
  const name = uniqueTitle("Reviewer");
  await rows.addTestimonial({ name, content: "To be deleted." });
  await logIn(page, "/testimonials");
  const card = page.getByRole("figure").filter({ hasText: name });
  const dialog = page.getByRole("alertdialog", { name: "Are you absolutely sure?" });
  await page.getByRole("figure").first().getByRole("button", { name: "Delete" }).click();
  await expect(toast(page, "Action not allowed")).toContainText(
    "Sample reviews cannot be deleted.",
  );
  await expect(dialog).toHaveCount(0);

  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.route("**/rest/v1/testimonials?*", (route) =>
    route.request().method() === "DELETE" ? route.fulfill({ json: [] }) : route.fallback(),
  );
  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Error deleting review")).toBeVisible();
  await expect(card).toBeVisible();

  await page.unroute("**/rest/v1/testimonials?*");
  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Review deleted")).toContainText(
    "The review has been successfully removed.",
  );
  await expect(card).toHaveCount(0);
});

test("a review is hidden and approved again, unless that fails, and open windows follow", async ({
  page,
  rows,
  browser,
}) => {
  const name = uniqueTitle("Reviewer");
  await rows.addTestimonial({ name, content: "Clear and kind." });
  const window = await browser.newPage();
  const feed = followChanges(window);
  await window.goto("/testimonials");
  await feed.connected("testimonials");
  const shown = window.getByRole("figure", { name: `Review by ${name}` });
  await expect(shown).toBeVisible();

  await logIn(page, "/manage/testimonials/approved");
  const review = page.getByRole("article", { name: `Review by ${name}` });
  await review.getByRole("button", { name: "Hide from the site" }).press("Enter");
  await expect(toast(page, "Review hidden")).toBeVisible();
  await expect(review).toHaveCount(0);
  await expect(shown).toHaveCount(0);

  await page
    .getByRole("navigation", { name: "Reviews" })
    .getByRole("link", { name: "Waiting" })
    .click();
  await expect(review).toContainText("Clear and kind.");
  // A policy that blocks an update returns no error and no rows.
  await page.route("**/rest/v1/testimonials?*", (route) =>
    route.request().method() === "PATCH" ? route.fulfill({ json: [] }) : route.fallback(),
  );
  await review.getByRole("button", { name: "Approve" }).press("Enter");
  await expect(toast(page, "Approving failed")).toContainText("was not found");
  await expect(review).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await page.unroute("**/rest/v1/testimonials?*");
  await review.getByRole("button", { name: "Approve" }).press("Enter");
  await expect(toast(page, "Review approved")).toBeVisible();
  await expect(shown).toBeVisible();
  await window.close();
});
