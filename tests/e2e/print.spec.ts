// The pages in print media.
import { defaultSite } from "../default-site.ts";
import { expect, openPage, test, waitForHydration } from "./test.ts";

test.use({ viewport: { width: 794, height: 1123 } });

for (const started of [true, false]) {
  test.describe(started ? "after the carousels have started" : "without scripts", () => {
    test.use({ javaScriptEnabled: started });

    test("a printed home page has every card of both carousels, none of them cut off or covered", {
      tag: "@long",
    }, async ({ page }) => {
      await page.goto("/");
      const names = ["Client testimonials", "Articles"];
      if (started) {
        await waitForHydration(page);
        for (const name of names) {
          const carousel = page.getByRole("region", { name });
          await carousel.scrollIntoViewIfNeeded();
          await expect(carousel.locator("[data-slides]")).toHaveCSS("overflow-x", "hidden");
          await carousel.getByRole("button", { name: "Next slide" }).click();
        }
      }

      await page.emulateMedia({ media: "print" });

      for (const name of names) {
        const boxes = await page.getByRole("region", { name }).evaluate((carousel) => {
          const page = document.documentElement.clientWidth;
          return [...carousel.querySelectorAll("li")].map((slide) => {
            const { left, right, top, width, height } = slide.getBoundingClientRect();
            return {
              place: `${Math.round(left)} ${Math.round(top)}`,
              inside: left >= 0 && right <= page && width > 0 && height > 0,
            };
          });
        });
        expect(boxes.length).toBeGreaterThan(3);
        expect(boxes.every(({ inside }) => inside)).toBe(true);
        expect(new Set(boxes.map(({ place }) => place)).size).toBe(boxes.length);
      }
      await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
      await expect(page.getByRole("banner").getByText(defaultSite.firm.name)).toBeVisible();
      const footer = page.getByRole("contentinfo");
      await expect(footer.getByText(defaultSite.contact.phone)).toBeVisible();
      await expect(footer.getByRole("link", { name: "Blog" })).toHaveCount(0);
      await expect(footer).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    });
  });
}

test("a long testimonial is printed in full, and forms are left out", { tag: "@long" }, async ({
  page,
  rows,
}) => {
  const name = `Long ${crypto.randomUUID()}`;
  const content = `${"She counted every dollar with us twice. ".repeat(30)}The very end.`;
  await rows.addTestimonial({ name, content });
  await page.goto("/testimonials");
  await page.emulateMedia({ media: "print" });
  const card = page.getByRole("figure").filter({ hasText: name });
  await expect(card.getByText("The very end.")).toBeVisible();
  await expect(card.getByText("Read more")).toBeHidden();

  await page.goto("/contact");
  await expect(page.getByLabel("Full Name")).toBeHidden();
  await expect(page.getByRole("main").getByText("(503) 555-0142")).toBeVisible();
});

test("printed calculators have every input, its value and the results", { tag: "@long" }, async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  await page.getByRole("slider", { name: "Current Age" }).press("ArrowRight");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page.getByRole("button", { name: "Project Savings" }).click();
  await page.getByText("The figures year by year").click();

  await page.emulateMedia({ media: "print" });

  // `innerText` on screen leaves out what is not displayed.
  const text = (await page.getByRole("main").innerText()).replace(/\s+/g, " ");
  for (const words of [
    "Annual Income $75,000",
    "Total Debt $50,000",
    "Years to Replace Income: 30",
    "Estimated Coverage Needed $2,320,000 Hypothetical, not a promise. 30 years of today's income of $75,000",
    "all debts of $50,000, and a fixed $20,000.",
    "Current Age 31",
    "Retirement Age 65",
    "Current Savings $25,000",
    "Monthly Contribution $500",
    "Est. Annual Return 7%",
    "Estimated Savings at Retirement $",
    "Hypothetical, not a promise. $25,000 at age 31. Each month until age 65, $500 is added, then everything grows by a twelfth of 7%. Without taxes, fees and inflation.",
  ]) {
    expect(text).toContain(words);
  }
  await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  // The table of years scrolls on screen only.
  const table = page.getByRole("region", { name: "The figures year by year" });
  expect(await table.evaluate((part) => part.scrollHeight - part.clientHeight)).toBe(0);
});
