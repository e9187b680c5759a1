import { openPage } from "../test.ts";
import { logIn, test } from "./owner.ts";
for (const width of [390, 1440]) {
  test(`shots ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await openPage(page, "/savings-calculator");
    await page.getByRole("button", { name: "Calculate Coverage" }).click();
    await page.getByRole("button", { name: "Project Savings" }).click();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/shot-calc-${width}.png`, fullPage: true });
    if (width === 390) { await page.evaluate(() => scrollTo(0, 0)); await page.locator("summary").first().click(); await page.screenshot({ path: `/tmp/shot-menu-${width}.png` }); }
    await logIn(page, "/blog/new");
    await page.getByLabel("Content").fill("A **bold *and* [linked](https://example.com)** text.\n\n## Heading\n\n- one\n- two\n\n1. a\n2. b\n\n> Said *once*\n\n!! Remember **me**\n\n![Lamp](/images/posts/old-oak.svg \"1600x900\")");
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/shot-editor-${width}.png`, fullPage: true });
  });
}
