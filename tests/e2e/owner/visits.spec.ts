// The owner's page of visit counts: with real counts, then in states that stubbed responses cause.
import type { Page } from "@playwright/test";
import { findingsOf } from "../access/axe.ts";
import { navigate, openPage } from "../test.ts";
import { expect, logIn, test } from "./owner.ts";

test.use({ expectedErrors: /Failed to load resource|Loading visit counts failed|^Object$/ });

/** Responds with these page loads of the last days, the last one for today. */
async function answerSummary(page: Page, loads: number[], top: object[] = []): Promise<void> {
  await page.route("**/rest/v1/rpc/visit_summary", async (route) => {
    const { day_count } = route.request().postDataJSON();
    const days = Array.from({ length: day_count }, (_, index) => {
      const day = new Date(Date.UTC(2026, 10, 22 - (day_count - 1 - index)));
      const count = loads[loads.length - day_count + index] ?? 0;
      return {
        day: day.toISOString().slice(0, 10),
        loads: count,
        messages: index % 9 === 0 ? 1 : 0,
        testimonials: index % 20 === 0 ? 1 : 0,
      };
    });
    await route.fulfill({ json: { key_created_at: null, days, top } });
  });
}

const top = [
  { kind: "calculator", key: "coverage", count: 9 },
  { kind: "page", key: "/", count: 1204 },
  { kind: "page", key: `/blog/${"a-very-long-title-".repeat(8)}end`, count: 310 },
  { kind: "referrer", key: "google.com", count: 88 },
];

test("the owner sees visits, referring sites and used calculators", async ({ page, site }) => {
  await page.goto("/services", { referer: "https://www.search.example/" });
  await openPage(page, "/savings-calculator");
  const reported = page.waitForResponse((response) => response.request().method() === "HEAD");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  expect((await reported).ok()).toBe(true);
  // Makes the site store the counts, which otherwise takes ten seconds.
  await site.restart();

  await logIn(page, "/manage/visits");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "/services", exact: true })).toBeVisible();
  await expect(main.getByText("search.example")).toBeVisible();
  await expect(main.getByRole("listitem").filter({ hasText: "Life Insurance" })).toBeVisible();
  await expect(page.getByRole("slider")).toHaveAttribute(
    "aria-valuetext",
    /: [1-9][\d,]* page loads?/,
  );
});

test("after a failure, the owner reads sums, a chart by keyboard, a table, and what was visited most", async ({
  page,
}) => {
  await page.route("**/rest/v1/rpc/visit_summary", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await logIn(page, "/manage/visits");
  await expect(page.getByRole("alert")).toContainText("can't be shown right now");
  expect(await findingsOf(page)).toEqual([]);

  const loads = Array.from({ length: 365 }, (_, day) => 20 + ((day * 37) % 60));
  loads[364] = 41;
  await answerSummary(page, loads, top);
  await page.getByRole("button", { name: "Try again" }).click();
  const main = page.getByRole("main");
  const period = page.getByRole("navigation", { name: "Period" });
  await expect(period.getByRole("link", { name: "30 days" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(main.getByRole("link", { name: "Home page" })).toHaveAttribute("href", "/");
  await expect(main.getByText("google.com")).toBeVisible();
  await expect(main.getByRole("link", { name: "google.com" })).toHaveCount(0);
  await expect(main.getByText("Life Insurance Calculator")).toBeVisible();

  const slider = page.getByRole("slider", { name: "Read the chart, day by day" });
  await expect(slider).toHaveAttribute("aria-valuetext", /^Sun, Nov 22, 2026: 41 page loads,/);
  await page.getByText("Numbers per day as a table").press("Enter");
  await expect(main.getByRole("row")).toHaveCount(31);
  await expect(main.getByRole("row", { name: /Nov 22, 2026 41 / })).toBeVisible();
  await slider.focus();
  await slider.press("ArrowLeft");
  await expect(slider).toHaveAttribute("aria-valuetext", /^Sat, Nov 21/);
  expect(await findingsOf(page)).toEqual([]);

  await period.getByRole("link", { name: "1 year" }).press("Enter");
  await expect(page).toHaveURL("/manage/visits?days=365");
  await expect(slider).toHaveAttribute("max", "364");
});

test("the owner of a hosted project creates the key that the site needs", async ({
  page,
  baseURL,
}) => {
  await answerSummary(page, []);
  await logIn(page);
  // From now on the page assumes that the site uses a hosted project.
  await page
    .locator('meta[name="supabase-url"]')
    .evaluate((meta, url) => meta.setAttribute("content", url), baseURL ?? "");
  await navigate(page, "/manage/visits");
  await expect(page.getByRole("heading", { name: "Visits are not counted yet" })).toBeVisible();
  await page.getByRole("button", { name: "Create a key" }).press("Enter");
  await expect(page.locator("code")).toHaveText(/^VISITS_KEY=[0-9a-f]{64}$/);
  expect(await findingsOf(page)).toEqual([]);
});
