import type { Page } from "@playwright/test";
import { expect, openPage, test } from "./test.ts";

test("nothing on the first screen moves while a page loads", { tag: "@long" }, async ({ page }) => {
  await page.setViewportSize({ width: 412, height: 823 });
  for (const path of ["/", "/login", "/forgot-password", "/contact"]) {
    await openPage(page, path);
    expect(await shiftUntilNow(page), path).toBeLessThan(0.01);
  }
});

/**
 * How far the page's elements have moved, as in Cumulative Layout Shift. The test moves the page as well: once the browser
 * reports that, it has reported everything before.
 */
function shiftUntilNow(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const moved = performance.now();
    return new Promise<number>((resolve) => {
      let sum = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          // The type of these entries is not in the library of TypeScript.
          if (entry.startTime < moved) sum += Object(entry).value;
          else resolve(sum);
        }
      });
      observer.observe({ type: "layout-shift", buffered: true });
      document.body.style.paddingTop = "200px";
    });
  });
}
