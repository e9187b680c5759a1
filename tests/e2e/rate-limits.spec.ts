// What a visitor sees of a 429. tests/contract/rate-limits.test.ts checks that the server sends it
// in these shapes.

import { sendContactForm, submitReview } from "./forms.ts";
import { expect, openPage, test, toast } from "./test.ts";

test.use({ expectedErrors: /status of 429|Sending the message failed/ });

const retryAfter = { "retry-after": "120" };

test("the home form shows the server's message with the waiting time and keeps the input", async ({
  page,
}) => {
  const words =
    "Several messages came from your connection just now. Please try again in 2 minutes.";
  await page.route("**/functions/v1/send-email", (route) =>
    route.fulfill({ status: 429, headers: retryAfter, json: { error: words } }),
  );
  await openPage(page, "/");
  await sendContactForm(page);

  const notice = toast(page, "Uh oh! Something went wrong.");
  await expect(notice.getByText(words, { exact: true })).toBeVisible();
  await expect(page.getByLabel("Your Message")).toHaveValue("Could we talk next week?");
});

test("the review dialog shows it and stays open", async ({ page }) => {
  const message = "Too many reviews were left just now. Please try again in 58 minutes.";
  await page.route("**/rest/v1/testimonials*", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 429,
          headers: retryAfter,
          json: { code: "over_request_rate_limit", message, details: null, hint: null },
        })
      : route.continue(),
  );
  await openPage(page, "/testimonials");
  const dialog = await submitReview(page, "Ada", "Clear and kind.");

  await expect(toast(page, "Error submitting review")).toContainText(message);
  await expect(dialog.locator("form").getByRole("alert")).toHaveText(message);
  await expect(dialog.getByLabel("Your Review")).toHaveValue("Clear and kind.");
});

test("the login shows it", async ({ page }) => {
  const msg = "Too many attempts to sign in. Please try again in 1 minute.";
  await page.route("**/auth/v1/token?grant_type=password", (route) =>
    route.fulfill({
      status: 429,
      headers: retryAfter,
      json: { code: 429, error_code: "over_request_rate_limit", msg },
    }),
  );
  await openPage(page, "/login");
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password").fill("a-guess");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(toast(page, "Sign in Failed")).toContainText(msg);
});
