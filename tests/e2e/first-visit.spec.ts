import { travelSize } from "../built-page.ts";
import { byteBudgets } from "../byte-budgets.ts";
import { expect, openPage, test } from "./test.ts";

declare global {
  interface Window {
    loadedWhenHydrated?: string[];
  }
}

test("a first visit to the home page stays within its byte budgets and requests no other host", async ({
  page,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.addInitScript(() => {
    addEventListener("hydrated", () => {
      window.loadedWhenHydrated = performance.getEntriesByType("resource").map(({ name }) => name);
    });
  });

  await openPage(page, "/");

  const loaded = (await page.evaluate(() => window.loadedWhenHydrated)) ?? [];
  const size = (ending: string) =>
    loaded
      .map((url) => new URL(url).pathname)
      .filter((path) => path.startsWith("/assets/") && path.endsWith(ending))
      .reduce((total, path) => total + travelSize(path.replace("/assets/", "")), 0);
  expect(size(".js")).toBeGreaterThan(0);
  expect(size(".js")).toBeLessThanOrEqual(byteBudgets.scripts);
  expect(size(".css")).toBeLessThanOrEqual(byteBudgets.styles);
  expect(size(".woff2")).toBeLessThanOrEqual(byteBudgets.fonts);
  expect(asked.filter((url) => /^https?:/.test(url) && !url.startsWith(`${baseURL}/`))).toEqual([]);
});

test("nothing above the fold waits for a script, and nothing below it is loaded yet", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  for (const image of await page.locator("img").all()) {
    expect(await image.getAttribute("width")).toMatch(/^\d+$/);
    expect(await image.getAttribute("height")).toMatch(/^\d+$/);
  }
  expect(await page.locator("img").first().getAttribute("fetchpriority")).toBe("high");
  expect(await page.locator("img[loading=lazy]").count()).toBe(
    (await page.locator("img").count()) - 1,
  );
  await context.close();
});
