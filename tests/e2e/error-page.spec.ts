import { expect, openPage, test } from "./test.ts";

test.use({
  expectedErrors: /Failed to load resource|Failed to fetch|^Object$|Out of order|right now/,
});

test("a failed navigation shows the fallback page with the error's text", async ({ page }) => {
  await openPage(page, "/services");
  await page.route("**/services/*.data*", (route) => route.abort());

  await page.getByRole("main").getByRole("link", { name: "Estate Planning" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unexpected Application Error!");
  await expect(page).toHaveTitle("Unexpected Application Error!");
  await expect(page.getByRole("main")).toContainText("Failed to fetch");
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Welcome to Your Financial Future",
  );
});

test("a post that fails to load shows the site's own message, and Try again loads it", async ({
  page,
}) => {
  await openPage(page, "/blog");
  await page.route("**/rest/v1/posts?*", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );

  await page.getByRole("article").filter({ hasText: "A Policy Loan" }).getByRole("link").click();

  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "This article can't be shown right now.",
  );
  await expect(page.getByText("Out of order")).toHaveCount(0);
  await expect(page.getByText("Unexpected Application Error!")).toHaveCount(0);
  await page.unroute("**/rest/v1/posts?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("A Policy Loan");
});

test("a link to the home page works while the server does not respond", async ({ page }) => {
  await openPage(page, "/blog");
  await page.route(/\/(_root|_)?\.data/, (route) => route.abort());

  await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).first().click();

  await expect(page.getByRole("heading", { name: "A Message from" })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toContainText("Life Insurance");
});
