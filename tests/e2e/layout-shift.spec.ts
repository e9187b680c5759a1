import { expect, openPage, test } from "./test.ts";

for (const path of ["/", "/login", "/forgot-password", "/contact"]) {
  test(`nothing on the first screen of ${path} moves while the page loads`, {
    tag: "@long",
  }, async ({ page }) => {
    await page.setViewportSize({ width: 412, height: 823 });
    await openPage(page, path);
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) => {
            // The type of these entries is not in the library of TypeScript.
            const values = list.getEntries().map((entry) => Object(entry).value);
            resolve(values.reduce((sum, value) => sum + value, 0));
          });
          observer.observe({ type: "layout-shift", buffered: true });
          setTimeout(resolve, 500, 0);
        }),
    );
    expect(shifts).toBeLessThan(0.01);
  });
}
