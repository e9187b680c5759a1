import type { Page } from "@playwright/test";
import { findingsOf } from "./access/axe.ts";
import { submitReview } from "./forms.ts";
import { delayReads, expect, navigate, openPage, test, toast } from "./test.ts";

const samples = [
  "Marisol & Dean Okafor",
  "Harlan Voss",
  "Priya Ramanathan",
  "Joel Whitaker-Stone",
  "Annelise Brandt",
];

function openReviewForm(page: Page) {
  return page.getByRole("button", { name: "Leave a Review" }).click();
}

function reviewDialog(page: Page) {
  return page.getByRole("dialog", { name: "Leave a Review" });
}

function cardOf(page: Page, name: string) {
  return page.getByRole("figure").filter({ hasText: name });
}

test("the samples are there at once, after 'Loading stories...' the stored reviews, newest first, without a delete button", async ({
  page,
  rows,
}) => {
  const id = crypto.randomUUID();
  const newest = { name: `Newer ${id}`, role: "Baker", content: "Came\nsecond.", rating: 3 };
  await rows.addTestimonial({ name: `Older ${id}`, content: "Came first." });
  await rows.addTestimonial(newest);

  await openPage(page, "/services");
  const release = await delayReads(page, "testimonials");
  await page.getByRole("banner").getByRole("link", { name: "Testimonials" }).click();
  await expect(page.getByText("Loading stories...")).toBeVisible();
  await expect(page.getByRole("button", { name: "Leave a Review" })).toBeVisible();
  await expect(page.locator("figcaption > :first-child")).toHaveText(samples);
  const sample = await cardOf(page, "Harlan Voss").elementHandle();
  release();
  await expect(cardOf(page, newest.name)).toBeVisible();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Client Success Stories");
  const names = await page.locator("figcaption > :first-child").allInnerTexts();
  expect(names.slice(0, 7)).toEqual([...samples, newest.name, `Older ${id}`]);
  const card = cardOf(page, newest.name);
  await expect(card.getByRole("img", { name: "3 out of 5 stars" })).toBeVisible();
  await expect(card).toContainText("Baker");
  await expect(page.getByText("Loading stories...")).toHaveCount(0);
  expect(await sample?.evaluate((card) => card.isConnected), "the sample stays").toBe(true);
  await expect(page.getByRole("button", { name: /delete/i })).toHaveCount(0);
  await expect(page.getByRole("figure").getByRole("button")).toHaveCount(0);
});

test("the form names what is missing, keeps its text when it is closed, and submits a review", async ({
  page,
  rows,
}) => {
  const name = `Ada ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  // A plain-http address other than loopback is not a secure context, so it is missing there.
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
  await openPage(page, "/testimonials");
  const dialog = reviewDialog(page);
  const [nameField, roleField, reviewField] = [
    dialog.getByLabel("Your Name"),
    dialog.getByLabel("Your Role (Optional)"),
    dialog.getByLabel("Your Review"),
  ];
  const submit = dialog.getByRole("button", { name: "Submit Review" });

  await test.step("errors", async () => {
    await openReviewForm(page);
    await expect(nameField).toBeFocused();
    await nameField.fill("   ");
    await submit.click();
    for (const field of [nameField, reviewField]) {
      await expect(field).toHaveAttribute("aria-invalid", "true");
      await expect(field).toHaveAccessibleDescription("Required");
    }
    await expect(roleField).not.toHaveAttribute("aria-invalid");
    await expect(dialog.getByRole("alert")).toContainText("Please check 2 answers:");
    await expect(nameField).toBeFocused();
    expect(await findingsOf(page)).toEqual([]);
    await nameField.pressSequentially("A");
    await expect(nameField).not.toHaveAttribute("aria-invalid");
    await expect(nameField).toBeFocused();
    await expect(dialog.getByRole("alert")).toHaveText("Please check 1 answer:Your Review");
  });

  await test.step("Cancel and Escape", async () => {
    await nameField.fill(`  ${name} `);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await openReviewForm(page);
    await expect(nameField).toHaveValue(`  ${name} `);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Leave a Review" })).toBeFocused();
  });

  await test.step("submission", async () => {
    await openReviewForm(page);
    await expect(dialog.getByRole("radio", { name: "5 stars" })).toBeChecked();
    await dialog.locator("label", { hasText: "2 stars" }).click();
    await roleField.fill("Engine driver");
    await reviewField.fill("Clear & kind <b>numbers</b>.\nThank you.");
    await submit.click();
    await expect(toast(page, "Review Submitted!")).toContainText(
      "Thank you! Your review is now live.",
    );
    await expect(dialog).toBeHidden();
    const card = cardOf(page, name);
    await expect(card).toHaveCount(1);
    await expect(card).toContainText("Clear & kind <b>numbers</b>.");
    await expect(card).toContainText("Engine driver");
    await expect(card.getByRole("img", { name: "2 out of 5 stars" })).toBeVisible();
  });

  await test.step("the next review starts empty", async () => {
    await openReviewForm(page);
    for (const field of [nameField, roleField, reviewField]) await expect(field).toHaveValue("");
    await expect(dialog.getByRole("radio", { name: "5 stars" })).toBeChecked();
  });
});

test("a long review shows its beginning and expands on press, with and without scripts", {
  tag: "@long",
}, async ({ browser, page, rows }) => {
  const name = `Long ${crypto.randomUUID()}`;
  const content = `${"She counted every dollar with us twice. ".repeat(70)}The very end.`;
  await rows.addTestimonial({ name, content });
  await openPage(page, "/testimonials");
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto("/testimonials");

  for (const reader of [page, plain]) {
    const card = cardOf(reader, name);
    await expect(card.getByText("The very end.")).toBeHidden();
    await card.locator("summary").click();
    await expect(card.getByText("The very end.")).toBeVisible();
    if (reader === page) expect(await findingsOf(page)).toEqual([]);
    await card.locator("summary", { hasText: "Read less" }).click();
    await expect(card.getByText("The very end.")).toBeHidden();
  }
  await plain.context().close();
});

test.describe("when the server rejects the review", () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test("a toast above the dialog shows the reason, and the typed text can be sent again", async ({
    page,
    rows,
  }) => {
    const name = `Lin ${crypto.randomUUID()}`;
    const message = "Too many reviews were left just now. Please try again in 58 minutes.";
    rows.removeTestimonialsBy(name);
    await page.route("**/rest/v1/testimonials*", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await route.fulfill({ status: 429, headers: { "retry-after": "3480" }, json: { message } });
    });
    await openPage(page, "/testimonials");
    const dialog = await submitReview(page, name);

    const notice = toast(page, "Error submitting review");
    await expect(notice).toContainText(message);
    await expect(dialog.locator("form").getByRole("alert")).toHaveText(message);
    // Hovering keeps the toast open on a busy machine.
    await notice.hover();
    await notice.getByLabel("Close").click();
    await expect(notice).toBeHidden();
    await expect(dialog.getByLabel("Your Name")).toHaveValue(name);
    await expect(dialog.getByLabel("Your Review")).toHaveValue("Good.");

    await page.unroute("**/rest/v1/testimonials*");
    await dialog.getByRole("button", { name: "Submit Review" }).click();
    await expect(toast(page, "Review Submitted!")).toBeVisible();
    await expect(cardOf(page, name)).toHaveCount(1);
  });
});

test.describe("when the stored reviews fail to load", () => {
  test.use({ expectedErrors: /Failed to load resource|Loading testimonials failed/ });
  const reads = "**/rest/v1/testimonials?*";
  const fail = (page: Page) =>
    page.route(reads, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));

  test("the five samples stay, without an error message", async ({ page }) => {
    await openPage(page, "/services");
    await fail(page);
    await page.getByRole("banner").getByRole("link", { name: "Testimonials" }).click();
    await expect(page.getByRole("figure")).toHaveCount(5);
    await expect(page.getByRole("alert")).toHaveCount(0);

    // The second page has no samples.
    await navigate(page, "/testimonials?page=2");
    await expect(page.getByRole("alert")).toContainText("The reviews can't be shown right now.");
  });

  test("a failed refetch leaves the stored reviews in place and is tried again", {
    tag: "@long",
  }, async ({ page, rows }) => {
    await page.clock.install();
    await rows.addTestimonial({ name: `Stays ${crypto.randomUUID()}`, content: "Still here." });
    for (const path of ["/testimonials", "/"]) {
      await openPage(page, path);
      await fail(page);
      const reviews = page.locator("figure[aria-label^='Review by']");
      const count = await reviews.count();
      expect(count).toBeGreaterThan(5);
      const failure = page.waitForEvent("console", (line) =>
        line.text().includes("Loading testimonials failed"),
      );
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await failure;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      await expect(reviews).toHaveCount(count);
      await page.unrouteAll({ behavior: "wait" });
      const retry = page.waitForResponse(reads);
      await page.clock.fastForward(10_000);
      await retry;
    }
  });
});
