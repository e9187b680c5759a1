// A plain-http address other than loopback is not a secure context, so crypto.randomUUID is
// missing.
import { toast } from "../test.ts";
import { expect, fillPost, logIn, removeFile, test, uniqueTitle, uploadImage } from "./owner.ts";

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    Reflect.deleteProperty(Crypto.prototype, "randomUUID");
  }),
);

test("a post with an image is published without crypto.randomUUID", async ({ page, owner }) => {
  const title = uniqueTitle("Insecure");
  await logIn(page, "/blog/new");
  expect(await page.evaluate(() => "randomUUID" in crypto)).toBe(false);
  await fillPost(page, title);
  const image = await uploadImage(page);
  await page.getByRole("button", { name: "Publish Post" }).click();
  await expect(toast(page, "Success! 🚀")).toBeVisible();
  await owner.from("posts").delete().eq("title", title).throwOnError();
  await removeFile(owner, image);
});

test("a review is submitted without crypto.randomUUID", async ({ page, rows }) => {
  const name = uniqueTitle("Ada");
  rows.removeTestimonialsBy(name);
  await page.goto("/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  await page.getByLabel("Your Name").fill(name);
  await page.getByLabel("Your Review").fill("Clear and kind.");
  await page.getByRole("button", { name: "Submit Review" }).click();
  await expect(toast(page, "Review Submitted!")).toBeVisible();
});
