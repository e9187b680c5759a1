import { defaultSite } from "../default-site.ts";
import { expect, navigate, openPage, test } from "./test.ts";

const services = defaultSite.services.map(
  ({ slug, cardTitle, title }) => [slug, cardTitle, title] as const,
);

test("the list has a card with icon, title and description for each service, which links to its page", async ({
  page,
}) => {
  await page.goto("/services");

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Services");
  const cards = page.getByRole("main").getByRole("listitem");
  await expect(cards.getByRole("heading")).toHaveText(services.map(([, title]) => title));
  for (const [index, [slug]] of services.entries()) {
    const card = cards.nth(index);
    await expect(card.getByRole("link")).toHaveAttribute("href", `/services/${slug}`);
    await expect(card.locator("svg").first()).toBeVisible();
    await expect(card.getByRole("paragraph")).toHaveText(/\w{3}/);
  }
});

test("the cards stand in one, two or three columns and appear 0.1 s apart", async ({ page }) => {
  await page.goto("/services");
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
  }
  const delays = await cards.evaluateAll((all) =>
    all.map((card) => getComputedStyle(card).animationDelay),
  );
  expect(delays).toEqual(services.map((_, index) => `${index / 10}s`));
});

test("the page of each service has its title, tagline, description, sections and both links", async ({
  page,
}) => {
  await openPage(page, "/services");
  for (const [slug, cardTitle, title] of services) {
    await page.getByRole("main").getByRole("heading", { name: cardTitle, exact: true }).click();

    await expect(page).toHaveURL(`/services/${slug}`);
    await expect(page).toHaveTitle(`${title} | My Expert Financial Services`);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(
      main.getByRole("banner").or(main.locator("header")).locator("svg"),
    ).not.toHaveCount(0);
    await expect(main.locator("header").getByRole("paragraph")).toHaveText(/\w{3}/);
    expect(await main.getByRole("heading", { level: 2 }).count()).toBeGreaterThanOrEqual(3);
    expect(await main.getByRole("listitem").count()).toBeGreaterThanOrEqual(3);
    const schedule = main.getByRole("link", { name: "Schedule a Consultation" });
    await expect(schedule).toHaveAttribute("target", "_blank");
    await expect(schedule).toHaveAttribute("rel", /noopener/);
    await main.getByRole("link", { name: "All Services" }).click();
    await expect(page).toHaveURL("/services");
  }
});

test("an unknown service redirects home and replaces the history entry", async ({ page }) => {
  await page.goto("/blog");
  await page.goto("/services/unknown");

  await expect(page).toHaveURL("/");
  await page.goBack();
  await expect(page).toHaveURL("/blog");
});

test("an unknown service redirects home in client-side navigation as well", async ({ page }) => {
  await openPage(page, "/blog");

  await navigate(page, "/services/constructor");

  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Welcome to Your Financial Future",
  );
  await page.goBack();
  await expect(page).toHaveURL("/blog");
});
