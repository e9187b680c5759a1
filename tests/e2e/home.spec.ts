import { defaultSite } from "../default-site.ts";
import { delayReads, expect, openPage, test } from "./test.ts";

const { firm, adviser, contact: contactDetails } = defaultSite;

test("the hero has a consultation link for a new tab, 'about' a portrait and three points", async ({
  page,
}) => {
  await page.goto("/");

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Welcome to Your Financial Future",
  );
  await expect(page.getByText(`I'm ${adviser.name}.`)).toBeVisible();
  const book = page.getByRole("link", { name: "Book Your Private Consultation" });
  await expect(book).toHaveAttribute("href", contactDetails.schedulingUrl);
  await expect(book).toHaveAttribute("target", "_blank");
  await expect(book).toHaveAttribute("rel", /noopener/);
  await expect(book).toHaveAccessibleName(/opens in a new tab/);

  const about = page.locator("#about");
  await expect(about.getByRole("heading")).toHaveText(`A Message from ${adviser.name}`);
  await expect(about.getByRole("img", { name: new RegExp(adviser.name) })).toBeVisible();
  await expect(about.getByRole("paragraph")).toHaveCount(2);
  await expect(about.getByRole("listitem")).toHaveText([
    "Personalized Financial Strategies",
    "Dedicated Client-First Approach",
    "Long-Term Security & Growth Planning",
  ]);
});

test("the services section has a card for each service under 'My Services'", async ({ page }) => {
  await page.goto("/");

  const services = page.locator("#services");
  await expect(services.getByRole("heading", { name: "My Services", exact: true })).toBeVisible();
  await expect(services.getByRole("listitem")).toHaveCount(defaultSite.services.length);
  await services.getByRole("link", { name: "Estate Planning" }).click();
  await expect(page).toHaveURL("/services/estate-planning");
});

test("the sections are in order from the hero to the footer, and the contact details are links", async ({
  page,
}) => {
  await page.goto("/");

  const tops = await Promise.all(
    [
      page.getByRole("heading", { name: "Welcome to Your Financial Future" }),
      page.locator("#about"),
      page.locator("#services"),
      page.getByRole("region", { name: "Client testimonials" }),
      page.getByRole("region", { name: "Articles" }),
      page.locator("#contact"),
      page.getByRole("contentinfo"),
    ].map(async (part) => (await part.boundingBox())?.y ?? Number.NaN),
  );

  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  expect(tops).not.toContain(Number.NaN);

  const contact = page.locator("#contact");
  const address = contact.getByRole("link", { name: contactDetails.street });
  await expect(address).toHaveAttribute("href", /^https:\/\/www\.google\.com\/maps\/search\/\?/);
  await expect(address).toHaveAttribute("target", "_blank");
  await expect(contact.getByRole("link", { name: "(503) 555-0142" })).toHaveAttribute(
    "href",
    "tel:+15035550142",
  );
  await expect(contact.getByRole("link", { name: contactDetails.email })).toHaveAttribute(
    "href",
    `mailto:${contactDetails.email}`,
  );
});

test("the testimonials are the five samples and the five newest stored ones, with a link to all", async ({
  page,
}) => {
  await page.goto("/");

  const names = page.getByRole("region", { name: "Client testimonials" }).locator("figcaption");
  await expect(names).toHaveCount(10);
  const text = await names.allInnerTexts();
  expect(text.slice(0, 5).map((name) => name.split("\n")[0])).toEqual([
    "Marisol & Dean Okafor",
    "Harlan Voss",
    "Priya Ramanathan",
    "Joel Whitaker-Stone",
    "Annelise Brandt",
  ]);

  await page.getByRole("link", { name: "View All Stories & Leave a Review" }).click();

  await expect(page).toHaveURL("/testimonials");
});

test("'Loading testimonials...' shows beside the samples only while stored ones load", async ({
  page,
}) => {
  await openPage(page, "/services");
  const release = await delayReads(page, "testimonials");

  await page.getByRole("link", { name: firm.name }).first().click();

  await expect(page.getByText("Loading testimonials...")).toBeVisible();
  await expect(page.getByRole("region", { name: "Client testimonials" })).toContainText(
    "Marisol & Dean Okafor",
  );
  release();
  await expect(page.getByText("Loading testimonials...")).toHaveCount(0);
  await expect(
    page.getByRole("region", { name: "Client testimonials" }).locator("figcaption"),
  ).toHaveCount(10);
});

test("a refetch shows no loading lines over loaded content", async ({ page }) => {
  await openPage(page, "/");
  await expect(page.getByText("Loading testimonials...")).toHaveCount(0);
  const release = await delayReads(page, "*");

  const refetch = page.waitForRequest("**/rest/v1/testimonials?*");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await refetch;

  await expect(page.getByRole("region", { name: "Articles" }).getByRole("article")).toHaveCount(
    await page.getByRole("region", { name: "Articles" }).getByRole("listitem").count(),
  );
  await expect(page.getByText("Loading testimonials...")).toHaveCount(0);
  await expect(page.getByText("Loading articles...")).toHaveCount(0);
  release();
});
