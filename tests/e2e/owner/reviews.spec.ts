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
