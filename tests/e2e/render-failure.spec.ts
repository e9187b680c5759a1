// Pages that fail to render because another script, such as that of an extension, changed what React relies on.
import type { Page } from "@playwright/test";
import { logIn } from "./owner/owner.ts";
import { delayScripts, expect, openPage, test, waitForHydration } from "./test.ts";
import { translatePage } from "./translate.ts";

test.use({ expectedErrors: /./ });

/** Removes an element that React has rendered, and then will remove. */
async function removeElement(page: Page, text: RegExp): Promise<void> {
  await page.getByText(text).evaluate((element) => element.remove());
}

test("a page of which a script removed an element is rendered again, and stays in use", {
  tag: "@long",
}, async ({ page }) => {
  await openPage(page, "/savings-calculator");
  const press = page.getByRole("button", { name: "Calculate Coverage" });
  const income = page.getByRole("textbox", { name: "Annual Income" });
  const failure = page.waitForEvent("console", (line) => /removeChild/.test(line.text()));
  await press.click();
  await income.fill("100,000");
  await income.press("Tab");
  await removeElement(page, /^Out of date/);
  await press.click();
  await failure;
  await expect(page.getByRole("heading", { name: "Life Insurance Calculator" })).toBeVisible();
  await income.fill("100,000");
  await press.click();
  await expect(page.getByText("$3,070,000", { exact: true })).toBeVisible();
});

test("a page that cannot be rendered is shown without scripts, also where the browser stores nothing, and the next one has them", {
  tag: "@long",
}, async ({ page }) => {
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents++;
  });
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    }
    window.addEventListener("break", () => {
      const { createElement } = document;
      document.createElement = (...[name]: [string]) => {
        if (name === "h1") throw new Error("Broken by a script");
        return createElement.call(document, name);
      };
    });
  });
  await openPage(page, "/services");
  await page.evaluate(() => window.dispatchEvent(new Event("break")));
  await page.getByRole("main").getByRole("link", { name: "Estate Planning" }).click();

  await expect(page.locator("html")).toHaveAttribute("data-scripts", "failed");
  await expect(page).toHaveURL("/services/estate-planning");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText("Estate Planning");
  expect(documents).toBe(2);
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await waitForHydration(page);
  await page.goBack();
  await waitForHydration(page);
  await expect(heading).toContainText("Estate Planning");
});

test("a post whose page is rendered again keeps the text that was not saved", {
  tag: "@long",
}, async ({ page }) => {
  await logIn(page, "/blog/new");
  const title = page.getByLabel("Title");
  await expect(title).toBeVisible();
  await page.route("**/rest/v1/**", (route) => route.abort());
  const content = page.getByLabel("Content", { exact: true });
  const asText = page.getByLabel("Edit as plain text");
  await title.fill("Not saved");
  await asText.check();
  await content.fill("The first paragraph.");
  const failure = page.waitForEvent("console", (line) => /removeChild/.test(line.text()));
  await content.evaluate((element) => element.remove());
  await asText.uncheck();
  await failure;
  await expect(title).toHaveValue("Not saved");
  await expect(content).toHaveText("The first paragraph.");
});

test("what is typed before a translated page is rendered by its scripts is kept", {
  tag: "@long",
}, async ({ page }) => {
  await page.addInitScript(translatePage);
  const release = await delayScripts(page);
  await page.goto("/contact");
  await page.getByLabel("Full Name").fill("Ada");
  await page.getByLabel("Your Message").fill("Could we talk?");
  release();
  await waitForHydration(page);
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada");
  await expect(page.getByLabel("Your Message")).toHaveValue("Could we talk?");
});
