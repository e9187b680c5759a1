import { account, fillLogin, logIn } from "../owner/owner.ts";
import { expect, hydrated, navigate, test, toast } from "../test.ts";
import { findingsOf } from "./axe.ts";

// Failures that the tests provoke.
test.use({ expectedErrors: /Failed to load resource|Failed to fetch|^Object$|Out of order/ });

for (const path of [
  "/",
  "/services",
  "/services/life-insurance",
  "/blog",
  "/blog/how-much-life-insurance-is-enough",
  "/blog/term-or-permanent-a-plain-comparison",
  "/testimonials",
  "/savings-calculator",
  "/contact",
  "/login",
  "/forgot-password",
  "/no-such-page",
]) {
  test(`axe finds nothing on ${path}`, async ({ page }) => {
    await page.goto(path);
    await hydrated(page);
    expect(await findingsOf(page)).toEqual([]);
  });
}

test("axe finds nothing in the open menu", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto("/services");
  await hydrated(page);
  await page.locator("summary", { hasText: "Menu" }).click();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe finds nothing in the review form, nor among its errors", async ({ page }) => {
  await page.goto("/testimonials");
  await hydrated(page);
  await page.getByRole("button", { name: "Leave a Review" }).click();
  expect(await findingsOf(page)).toEqual([]);

  await page.getByRole("button", { name: "Submit Review" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe finds nothing among the contact form's errors", async ({ page }) => {
  await page.goto("/contact");
  await hydrated(page);
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe finds nothing in the calculators' results, nor when they are out of date", async ({
  page,
}) => {
  await page.goto("/savings-calculator");
  await hydrated(page);
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page.getByRole("button", { name: "Project Savings" }).click();
  await expect(page.getByText("Estimated Savings at Retirement")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await page.getByRole("slider", { name: "Annual Income" }).press("ArrowRight");
  await page.getByRole("slider", { name: "Current Age" }).press("ArrowRight");
  await expect(page.getByText("Out of date")).toHaveCount(2);
  expect(await findingsOf(page)).toEqual([]);
});

test("axe finds nothing on the blog that can't be read, nor on the error page", async ({
  page,
}) => {
  await page.goto("/services");
  await hydrated(page);
  await page.route("**/rest/v1/posts?*", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await navigate(page, "/blog");
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await navigate(page, "/blog/how-much-life-insurance-is-enough");
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe finds nothing on the owner's pages, in what they ask and what they answer", async ({
  page,
  rows,
}) => {
  await page.goto("/login");
  await fillLogin(page, { ...account, password: "not the password" });
  await expect(toast(page, "Sign in Failed")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await logIn(page, "/blog/new");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create New Blog Post");
  expect(await findingsOf(page)).toEqual([]);

  const slug = `to-be-kept-${crypto.randomUUID()}`;
  await rows.addPost({ slug, title: "To Be Kept", category: "Testing" });
  await page.goto(`/blog/${slug}/edit`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit Post");
  await page.getByLabel("Title").fill("");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await page.goto(`/blog/${slug}`);
  await hydrated(page);
  await page.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});
