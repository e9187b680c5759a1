import { toast } from "../test.ts";
import { expect, logIn, test } from "./owner.ts";

test("a review is deleted after the confirm dialog", async ({ page, rows }) => {
  const name = `Reviewer ${crypto.randomUUID().slice(0, 8)}`;
  await rows.addTestimonial({ name, content: "To be deleted." });
  await logIn(page, "/testimonials");
  const card = page.getByRole("figure").filter({ hasText: name });
  await card.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Are you absolutely sure?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(card).toBeVisible();
  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Review deleted")).toContainText(
    "The review has been successfully removed.",
  );
  await expect(card).toHaveCount(0);
});

test("sample reviews cannot be deleted", async ({ page }) => {
  await logIn(page, "/testimonials");
  await page.getByRole("figure").first().getByRole("button", { name: "Delete" }).click();
  await expect(toast(page, "Action not allowed")).toContainText(
    "Sample reviews cannot be deleted.",
  );
  await expect(page.getByRole("alertdialog", { name: "Are you absolutely sure?" })).toHaveCount(0);
});

test("a delete that affected no row is reported as a failure", async ({ page, rows }) => {
  const name = `Reviewer ${crypto.randomUUID().slice(0, 8)}`;
  await rows.addTestimonial({ name, content: "Stays." });
  await logIn(page, "/testimonials");
  await page.route("**/rest/v1/testimonials?*", (route) =>
    route.request().method() === "DELETE" ? route.fulfill({ json: [] }) : route.fallback(),
  );
  const card = page.getByRole("figure").filter({ hasText: name });
  await card.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Error deleting review")).toBeVisible();
  await expect(card).toBeVisible();
});
