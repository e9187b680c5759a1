// Fills in the forms as a visitor.
import type { Locator, Page } from "@playwright/test";

interface Values {
  name?: string;
  email?: string;
  phone?: string;
  message?: string;
}

/** Fills in the contact form with a valid message, except for the given values, as slowly as a visitor. */
export async function fillContactForm(
  page: Page,
  {
    name = "Ada",
    email = "ada@example.com",
    phone,
    message = "Could we talk next week?",
  }: Values = {},
): Promise<void> {
  await page.getByLabel("Full Name").fill(name);
  await page.getByLabel("Email Address").fill(email);
  if (phone !== undefined) await page.getByLabel("Phone Number (Optional)").fill(phone);
  await page.getByLabel("Your Message").fill(message);
  await passFillTime(page);
}

/** As if a minute had passed: a form that is sent within two seconds waits until then. */
export async function passFillTime(page: Page): Promise<void> {
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 60_000;
  });
}

export async function sendContactForm(page: Page, values: Values = {}): Promise<void> {
  await fillContactForm(page, values);
  await page.getByRole("button", { name: "Send Message" }).click();
}

/** Opens the review dialog, fills it in and submits it. @returns the dialog. */
export async function submitReview(page: Page, name: string, review = "Good."): Promise<Locator> {
  await page.getByRole("button", { name: "Leave a Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });
  await dialog.getByLabel("Your Name").fill(name);
  await dialog.locator("label", { hasText: "5 stars" }).click();
  await dialog.getByLabel("Your Review").fill(review);
  const answers = dialog.locator(
    "[name=relationship][value=client], [name=compensation][value=none], [name=connection][value=none], [name=consent]",
  );
  for (const answer of await answers.all()) await answer.check();
  await passFillTime(page);
  await dialog.getByRole("button", { name: "Submit Review" }).click();
  return dialog;
}
