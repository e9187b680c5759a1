import { submitReview } from "./forms.ts";
import { delayReads, expect, navigate, openPage, test, toast } from "./test.ts";

test("the samples come first, then the stored reviews, newest first", async ({ page, rows }) => {
  const id = crypto.randomUUID();
  await rows.addTestimonial({ name: `Older ${id}`, content: "Came first." });
  await rows.addTestimonial({
    name: `Newer ${id}`,
    role: "Baker",
    content: "Came\nsecond.",
    rating: 3,
  });

  await page.goto("/testimonials");

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Client Success Stories");
  const names = await page.locator("figcaption > :first-child").allInnerTexts();
  expect(names.slice(0, 5)).toEqual([
    "Marisol & Dean Okafor",
    "Harlan Voss",
    "Priya Ramanathan",
    "Joel Whitaker-Stone",
    "Annelise Brandt",
  ]);
  const places = [`Newer ${id}`, `Older ${id}`, "Ingrid Solberg-Hayes"].map((name) =>
    names.indexOf(name),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(4);
  const card = page.getByRole("figure").filter({ hasText: `Newer ${id}` });
  await expect(card.getByRole("img", { name: "3 out of 5 stars" })).toBeVisible();
  await expect(card).toContainText("Baker");
  await expect(page.getByText("Loading stories...")).toHaveCount(0);
});

test("the reviews stand in one, two or three columns and appear 0.1 s apart", async ({ page }) => {
  await page.goto("/testimonials");
  const cards = page.getByRole("main").getByRole("listitem");
  for (const [width, columns] of [
    [390, 1],
    [800, 2],
    [1280, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const lefts = await cards.evaluateAll((all) =>
      all.map((card) => Math.round(card.getBoundingClientRect().left)),
    );
    expect(new Set(lefts).size, `${width} pixels`).toBe(columns);
    const delays = await cards.evaluateAll((all) =>
      all.slice(0, 4).map((card) => getComputedStyle(card).animationDelay),
    );
    expect(delays).toEqual(["0s", "0.1s", "0.2s", "0.3s"]);
  }
});

test("visitors see no delete button", async ({ page }) => {
  await openPage(page, "/testimonials");

  await expect(page.getByRole("figure").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /delete/i })).toHaveCount(0);
  await expect(page.getByRole("figure").getByRole("button")).toHaveCount(0);
});

test("'Loading stories...' is shown until the stored reviews have loaded", async ({ page }) => {
  await openPage(page, "/services");
  const release = await delayReads(page, "testimonials");

  await page.getByRole("banner").getByRole("link", { name: "Testimonials" }).click();

  await expect(page.getByText("Loading stories...")).toBeVisible();
  await expect(page.getByRole("button", { name: "Leave a Review" })).toBeVisible();
  release();
  await expect(page.getByRole("figure").filter({ hasText: "Camille Duarte" })).toBeVisible();
  await expect(page.getByText("Loading stories...")).toHaveCount(0);
});

test("a submitted review appears at once, and the dialog closes and resets", async ({
  page,
  rows,
}) => {
  const name = `Ada ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  await openPage(page, "/testimonials");

  const open = page.getByRole("button", { name: "Leave a Review" });
  await open.click();
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });
  await expect(dialog.getByRole("radio", { name: "5 stars" })).toBeChecked();
  await dialog.locator("label", { hasText: "2 stars" }).click();
  await dialog.getByLabel("Your Name").fill(`  ${name} `);
  await dialog.getByLabel("Your Role (Optional)").fill("Engine driver");
  await dialog.getByLabel("Your Review").fill("Clear & kind <b>numbers</b>.\nThank you.");
  await dialog.getByRole("button", { name: "Submit Review" }).click();

  const notice = toast(page, "Review Submitted!");
  await expect(notice).toContainText("Thank you! Your review is now live.");
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
  const card = page.getByRole("figure").filter({ hasText: name });
  await expect(card).toHaveCount(1);
  await expect(card).toContainText("Clear & kind <b>numbers</b>.");
  await expect(card).toContainText("Engine driver");
  await expect(card.getByRole("img", { name: "2 out of 5 stars" })).toBeVisible();

  await open.click();
  await expect(dialog.getByLabel("Your Name")).toHaveValue("");
  await expect(dialog.getByLabel("Your Role (Optional)")).toHaveValue("");
  await expect(dialog.getByLabel("Your Review")).toHaveValue("");
  await expect(dialog.getByRole("radio", { name: "5 stars" })).toBeChecked();
});

test("a review requires a name and a text; the role is optional", async ({ page, rows }) => {
  const name = `Grace ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  await openPage(page, "/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });

  await dialog.getByLabel("Your Name").fill("   ");
  await dialog.getByRole("button", { name: "Submit Review" }).click();
  for (const label of ["Your Name", "Your Review"]) {
    await expect(dialog.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription("Required");
  }
  await expect(dialog.getByLabel("Your Role (Optional)")).not.toHaveAttribute("aria-invalid");
  await expect(dialog.getByLabel("Your Name")).toBeFocused();

  await dialog.getByLabel("Your Name").fill(name);
  await dialog.getByLabel("Your Review").fill("Good.");
  await dialog.getByLabel("Your Review").press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(toast(page, "Review Submitted!")).toBeVisible();
  const card = page.getByRole("figure").filter({ hasText: name });
  await expect(card.getByRole("img", { name: "5 out of 5 stars" })).toBeVisible();
});

test("the review form focuses its first field, and an error disappears once corrected", async ({
  page,
}) => {
  await openPage(page, "/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });
  const name = dialog.getByLabel("Your Name");
  await expect(name).toBeFocused();
  await expect(dialog.locator("input:visible, textarea:visible").first()).toHaveAttribute(
    "name",
    "name",
  );
  await dialog.getByRole("button", { name: "Submit Review" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please check 2 answers:");

  await name.pressSequentially("A");
  await expect(name).not.toHaveAttribute("aria-invalid");
  await expect(name).toBeFocused();
  await expect(dialog.getByRole("alert")).toHaveText("Please check 1 answer:Your Review");
  await dialog.getByLabel("Your Review").fill("Good.");
  await expect(dialog.getByLabel("Your Review")).not.toHaveAttribute("aria-invalid");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
});

test("the stars can be chosen with the keyboard", async ({ page }) => {
  await openPage(page, "/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });

  await dialog.getByRole("radio", { name: "5 stars" }).focus();
  await page.keyboard.press("ArrowLeft");

  await expect(dialog.getByRole("radio", { name: "4 stars" })).toBeChecked();
});

test("Escape and Cancel close the review dialog and keep the typed text", async ({ page }) => {
  await openPage(page, "/testimonials");
  const open = page.getByRole("button", { name: "Leave a Review" });
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });

  await open.click();
  await dialog.getByLabel("Your Name").fill("Ada");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
  await open.click();
  await expect(dialog.getByLabel("Your Name")).toHaveValue("Ada");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
});

test.describe("when the server rejects the review", () => {
  test.use({ expectedErrors: /Failed to load resource/ });
  test.beforeEach(({ page }) =>
    page.route("**/rest/v1/testimonials*", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await route.fulfill({ status: 400, json: { message: "The reviews are closed today." } });
    }),
  );

  test("a toast and the dialog show the reason, and the typed text stays", async ({
    page,
    rows,
  }) => {
    const name = `Lin ${crypto.randomUUID()}`;
    rows.removeTestimonialsBy(name);
    await openPage(page, "/testimonials");
    await page.getByRole("button", { name: "Leave a Review" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave a Review" });
    await dialog.locator("label", { hasText: /^1 star$/ }).click();
    await dialog.getByLabel("Your Name").fill(name);
    await dialog.getByLabel("Your Review").fill("Good.");
    await dialog.getByRole("button", { name: "Submit Review" }).click();

    const notice = toast(page, "Error submitting review");
    await expect(notice).toContainText("The reviews are closed today.");
    await expect(dialog.locator("form").getByRole("alert")).toHaveText(
      "The reviews are closed today.",
    );
    await expect(dialog.getByLabel("Your Name")).toHaveValue(name);
    await expect(dialog.getByLabel("Your Review")).toHaveValue("Good.");
    await expect(dialog.getByRole("radio", { name: "1 star" })).toBeChecked();

    await page.unroute("**/rest/v1/testimonials*");
    await dialog.getByRole("button", { name: "Submit Review" }).click();
    await expect(toast(page, "Review Submitted!")).toBeVisible();
    await expect(notice).toBeHidden();
    await expect(page.getByRole("figure").filter({ hasText: name })).toHaveCount(1);
  });

  test("the toast is visible and can be closed above the open dialog", async ({ page }) => {
    await openPage(page, "/testimonials");
    const dialog = await submitReview(page, "Lin");

    const notice = toast(page, "Error submitting review");
    // Hovering keeps it open on a busy machine.
    await notice.hover();
    await notice.getByLabel("Close").click();
    await expect(notice).toBeHidden();
    await expect(dialog).toBeVisible();
  });
});

test.describe("when the stored reviews fail to load", () => {
  test.use({ expectedErrors: /Failed to load resource|Loading testimonials failed/ });

  test("the five samples stay, without an error message", async ({ page }) => {
    await openPage(page, "/services");
    await page.route("**/rest/v1/testimonials?*", (route) =>
      route.fulfill({ status: 500, json: { message: "Out of order" } }),
    );

    await page.getByRole("banner").getByRole("link", { name: "Testimonials" }).click();

    await expect(page.getByRole("figure")).toHaveCount(5);
    await expect(page.getByRole("alert")).toHaveCount(0);

    // The second page has no samples.
    await navigate(page, "/testimonials?page=2");
    await expect(page.getByRole("alert")).toContainText("The reviews can't be shown right now.");
  });

  test("a failed refetch leaves the stored reviews in place", async ({ page, rows }) => {
    await rows.addTestimonial({ name: `Stays ${crypto.randomUUID()}`, content: "Still here." });
    for (const path of ["/testimonials", "/"]) {
      await openPage(page, path);
      await page.route("**/rest/v1/testimonials?*", (route) =>
        route.fulfill({ status: 500, json: { message: "Out of order" } }),
      );
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
    }
  });
});
