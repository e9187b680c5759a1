// What a visitor does on the whole site, for browsers that behave differently.
import type { Page } from "@playwright/test";
import { fillContactForm, sendContactForm, submitReview } from "./forms.ts";
import { expect, openPage, toast } from "./test.ts";

/** Called where the page is complete, with the name of the place. */
export type Check = (place: string) => Promise<void>;

function follow(page: Page, name: string): Promise<void> {
  return page.getByRole("banner").getByRole("link", { name, exact: true }).click();
}

/** Sends a message from both forms, and a review with this name. */
export async function sendForms(page: Page, reviewer: string, check: Check): Promise<void> {
  const main = page.getByRole("main");
  await openPage(page, "/");
  await check("home");
  await sendContactForm(page);
  await expect(toast(page, "Message Sent! 🚀")).toBeVisible();
  await check("home, after the message");

  await follow(page, "Testimonials");
  await expect(main.getByText("Loading stories...")).toHaveCount(0);
  await submitReview(page, reviewer);
  await expect(main.getByRole("figure").filter({ hasText: reviewer })).toBeVisible();
  await check("testimonials, after the review");

  await follow(page, "Contact");
  await sendContactForm(page, { name: "A", message: "Short" });
  await expect(main.getByText(/at least/).first()).toBeVisible();
  await check("contact, with mistakes");
  await fillContactForm(page, { message: "Short" });
  await check("contact, with one mistake");
  await sendContactForm(page);
  await expect(toast(page, "Message Sent!")).toBeVisible();
  await check("contact, after the message");
}

/** Reads the services, and searches the blog. */
export async function readPages(page: Page, check: Check): Promise<void> {
  const main = page.getByRole("main");
  await openPage(page, "/services");
  await check("services");
  await main.getByRole("listitem").first().getByRole("link").first().click();
  await expect(main.getByRole("link", { name: "All Services" }).first()).toBeVisible();
  await check("a service");

  await follow(page, "Blog");
  await expect(main.getByRole("article").first()).toBeVisible();
  await check("blog");
  const search = main.getByRole("searchbox");
  for (const query of ["loan", "retirement", "xylophone", "loan"]) {
    await search.fill(query);
    await search.press("Enter");
    await expect(main.getByRole("status").first()).toContainText(`found for “${query}”`);
    await check(`the search for ${query}`);
  }
  await main.getByRole("navigation", { name: "Categories" }).getByRole("link").nth(1).click();
  await expect(page).toHaveURL(/\/blog\/category\//);
  await expect(main.getByRole("article").first()).toBeVisible();
  await check("a category");
  await main.getByRole("article").getByRole("link", { name: "Read More" }).first().click();
  await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/blog\/[^/]+$/);
  await check("a post");
}

/** Gets results of both calculators, twice. */
export async function calculate(page: Page, check: Check): Promise<void> {
  const main = page.getByRole("main");
  await openPage(page, "/savings-calculator");
  for (const result of ["first", "second"]) {
    for (const name of ["Calculate Coverage", "Project Savings"]) {
      await main.getByRole("button", { name }).click();
    }
    await expect(main.getByRole("slider", { name: /year by year/ })).toBeAttached();
    await check(`the ${result} results`);
    await main.getByText("The figures year by year").click();
    await main.getByRole("textbox", { name: "Annual Income" }).fill("100,000");
    await main.getByRole("textbox", { name: "Current Savings" }).fill("90,000");
    await main.getByRole("textbox", { name: "Current Age" }).fill("200");
    await main.getByRole("textbox", { name: "Total Debt" }).press("Tab");
    await check(`the ${result} results, out of date`);
  }
}
