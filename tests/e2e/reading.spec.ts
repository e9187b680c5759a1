import { expect, openPage, test } from "./test.ts";

/** A word too long for any line. */
const unbroken = "Versicherungsbeitragsanpassung".repeat(4);

test("a post shows its reading time and the posts to read next", async ({ page }) => {
  await openPage(page, "/blog/a-policy-loan-step-by-step");

  await expect(page.getByText(/^\d+ min read$/)).toBeVisible();
  const next = page.getByRole("region", { name: "Read next" });
  await expect(next.getByRole("listitem")).toHaveCount(3);
  await expect(next).not.toContainText("A Policy Loan, Step by Step");
  const link = next.getByRole("link").first();
  const title = await link.innerText();
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});

test.describe("when a post's image is missing", () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test("the fallback image of its category is shown", async ({ page, rows }) => {
    const slug = `gone-${crypto.randomUUID()}`;
    await rows.addPost({
      slug,
      title: "Gone",
      category: "Taxes",
      image_url: "/images/posts/gone.jpg",
      // Old, so that no other page shows it meanwhile.
      created_at: "2024-01-02T00:00:00Z",
    });

    await openPage(page, `/blog/${slug}`);

    await expect(page.getByRole("article").locator("img")).toHaveAttribute(
      "src",
      "/images/fallback-taxes.svg",
    );
  });
});

test("a long review shows its beginning and expands on press, with and without scripts", async ({
  browser,
  page,
  rows,
}) => {
  const name = `Long ${crypto.randomUUID()}`;
  await rows.addTestimonial({
    name,
    content: `${"She counted every dollar with us twice. ".repeat(70)}The very end.`,
  });
  await openPage(page, "/testimonials");
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto("/testimonials");

  for (const reader of [page, plain]) {
    const card = reader.getByRole("figure").filter({ hasText: name });
    await expect(card.getByText("The very end.")).toBeHidden();
    await card.locator("summary").click();
    await expect(card.getByText("The very end.")).toBeVisible();
    await card.locator("summary", { hasText: "Read less" }).click();
    await expect(card.getByText("The very end.")).toBeHidden();
  }
  await plain.context().close();
});

test("a notice shows while the browser is offline", async ({ page, context }) => {
  await openPage(page, "/contact");

  await context.setOffline(true);
  await expect(page.getByText("You are offline.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You are offline.")).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test("the consultation bar stays in reach and never covers links, forms, the footer or the focus", async ({
    page,
  }) => {
    await openPage(page, "/");
    const bar = page
      .getByRole("complementary", { name: "Consultation" })
      .getByRole("link", { name: "Book a consultation" });
    await expect(bar).toHaveCount(0);

    await page.locator("#about").scrollIntoViewIfNeeded();
    await expect(bar).toBeInViewport();
    await page.getByRole("main").getByRole("link", { name: "Estate Planning" }).focus();
    await page.keyboard.press("Shift+Tab");
    await expect(bar).toHaveCount(0);
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await expect(bar).toHaveCount(0);
  });
});

test.describe("at 400 % zoom", () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test("no page scrolls sideways and the header is not sticky", async ({ page, rows }) => {
    const slug = `wide-${crypto.randomUUID()}`;
    await rows.addPost({
      slug,
      title: `Wide ${unbroken}`,
      category: unbroken.slice(0, 60),
      author: unbroken,
      tagline: unbroken,
      content: [{ type: "paragraph", text: unbroken }],
      related_services: [{ slug: "estate-planning", title: unbroken, href: "/services" }],
    });
    await rows.addTestimonial({
      name: unbroken.slice(0, 60),
      role: unbroken.slice(0, 60),
      content: unbroken,
    });
    for (const path of [
      "/",
      "/services/infinite-banking",
      "/blog",
      "/blog/a-policy-loan-step-by-step",
      `/blog/${slug}`,
      "/testimonials",
      "/contact",
      "/savings-calculator",
    ]) {
      await openPage(page, path);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBe(0);
      await page.mouse.wheel(0, 600);
      await expect(page.getByRole("banner")).not.toBeInViewport();
    }
  });
});
