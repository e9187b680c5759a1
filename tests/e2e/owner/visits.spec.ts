// The reports of visits, and the owner's page of visit counts in states that stubbed responses cause.
import type { Page } from "@playwright/test";
import { findingsOf } from "../access/axe.ts";
import { navigate } from "../test.ts";
import { expect, logIn, test } from "./owner.ts";

test.use({ expectedErrors: /Failed to load resource|Loading visit counts failed|^Object$/ });

/** Answers with these visits of the last days, today last. */
async function answerSummary(page: Page, visits: number[], top: object[] = []): Promise<void> {
  await page.route("**/rest/v1/rpc/visit_summary", async (route) => {
    const length = 2 * route.request().postDataJSON().day_count;
    const days = Array.from({ length }, (_, index) => {
      const day = new Date(Date.UTC(2026, 10, 22 - (length - 1 - index)));
      const count = visits[visits.length - length + index] ?? 0;
      return {
        day: day.toISOString().slice(0, 10),
        visits: count,
        pages: count * 2,
        messages: index % 9 === 0 ? 1 : 0,
        testimonials: index % 20 === 0 ? 1 : 0,
      };
    });
    const began = visits.length > 0 ? "2025-01-01" : null;
    await route.fulfill({ json: { key_created_at: null, began, days, top } });
  });
}

const row = { title: null, before: 12 };
const top = [
  { ...row, kind: "calculator", key: "coverage", count: 9 },
  { ...row, kind: "page", key: "/", count: 1204 },
  { ...row, kind: "page", key: "/services/life-insurance", count: 14 },
  { ...row, kind: "post", key: "/blog/term", title: "Term or Whole Life?", count: 310 },
  { ...row, kind: "post", key: `/blog/${"a-very-long-title-".repeat(8)}end`, count: 12 },
  { ...row, kind: "referrer", key: "google.com", count: 88 },
  { ...row, kind: "referrer", key: "direct", count: 11 },
];

test("what visitors read and where they came from is reported, without what the owner reads", {
  tag: "@long",
}, async ({ page }) => {
  const reports: string[] = [];
  page.on("response", (response) => {
    const { pathname, searchParams } = new URL(response.url());
    // The count at 'Manage' also asks with HEAD.
    if (pathname.startsWith("/rest/") || response.request().method() !== "HEAD") return;
    searchParams.delete("at");
    if (response.ok()) reports.push(`${pathname}?${searchParams}`);
  });
  const from = "https://www.search.example/";
  await page.goto("/services", { referer: from });
  const first = `/services?${new URLSearchParams({ from })}`;
  await expect.poll(() => reports).toEqual([first]);
  await navigate(page, "/savings-calculator");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  const expected = [first, "/savings-calculator?from=%2F", "/savings-calculator?used=coverage"];
  await expect.poll(() => reports).toEqual(expected);
  await logIn(page, "/contact");
  await navigate(page, "/services");
  await expect(page.getByRole("heading", { level: 1, name: "services" })).toBeVisible();
  expect(reports).toEqual(expected);
});

test("after a failure, the owner reads sums, a table, and what was visited most, and creates the key that a hosted project needs", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  await page.route("**/rest/v1/rpc/visit_summary", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await logIn(page, "/manage/visits");
  await expect(page.getByRole("alert")).toContainText("can't be shown right now");

  const visits = Array.from({ length: 730 }, (_, day) => 20 + ((day * 37) % 60));
  visits[729] = 41;
  await answerSummary(page, visits, top);
  await page.getByRole("button", { name: "Try again" }).click();
  const main = page.getByRole("main");
  const period = page.getByRole("navigation", { name: "Period" });
  await expect(period.getByRole("link", { name: "30 days" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(main.getByRole("link", { name: "Home page" })).toHaveAttribute("href", "/");
  await expect(
    main.getByText(/visits in the last 30 days, .* in the 30 days before\./),
  ).toBeVisible();
  await expect(main.getByRole("link", { name: "Term or Whole Life?" })).toBeVisible();
  await expect(main.getByText("google.com")).toBeVisible();
  await expect(main.getByRole("link", { name: "google.com" })).toHaveCount(0);
  await expect(main.getByText("Life Insurance Calculator")).toBeVisible();

  await page.getByText("Numbers per day as a table").press("Enter");
  await expect(main.getByRole("row")).toHaveCount(31);
  await expect(main.getByRole("row", { name: /Nov 22, 2026 41 82 / })).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await period.getByRole("link", { name: "90 days" }).press("Enter");
  await expect(page).toHaveURL("/manage/visits?days=90");

  await answerSummary(page, []);
  // From now on the page assumes that the site uses a hosted project.
  await page
    .locator('meta[name="supabase-url"]')
    .evaluate((meta, url) => meta.setAttribute("content", url), baseURL ?? "");
  await period.getByRole("link", { name: "30 days" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Visits are not counted yet" })).toBeVisible();
  await page.getByRole("button", { name: "Create a key" }).press("Enter");
  await expect(page.locator("code")).toHaveText(/^SITE_KEY=[0-9a-f]{64}$/);
  expect(await findingsOf(page)).toEqual([]);
});
