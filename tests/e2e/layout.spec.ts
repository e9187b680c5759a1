import type { Page } from "@playwright/test";
import { defaultSite } from "../default-site.ts";
import { delayReads, delayScripts, expect, openPage, test } from "./test.ts";

test("the header is sticky, its brand links home and its tabs are in order", async ({ page }) => {
  await page.goto("/services");

  const header = page.getByRole("banner");
  await expect(header.getByRole("navigation").getByRole("link")).toHaveText([
    "Home",
    "Services",
    "Testimonials",
    "Blog",
    "Savings Calculator",
    "Contact",
  ]);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
  await expect(header).toBeInViewport({ ratio: 1 });
  await header.getByRole("link", { name: defaultSite.firm.name }).click();
  await expect(page).toHaveURL("/");
});

test("the active tab is chosen by path prefix", async ({ page }) => {
  for (const [path, tab] of [
    ["/", "Home"],
    ["/services", "Services"],
    ["/services/life-insurance", "Services"],
    ["/testimonials", "Testimonials"],
    ["/blog", "Blog"],
    ["/blog/a-policy-loan-step-by-step", "Blog"],
    ["/savings-calculator", "Savings Calculator"],
    ["/contact", "Contact"],
  ] as const) {
    await page.goto(path);
    const tabs = page.getByRole("navigation", { name: "Main" });
    await expect(tabs.locator("[aria-current=page]:visible")).toHaveText([tab]);
  }
  // No tab leads to the login page.
  await page.goto("/login");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expect(page.locator("[aria-current=page]")).toHaveCount(0);
});

test("on a small screen a dropdown menu has the same links and closes by choice, Escape and an outside tap", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openPage(page, "/");
  const menu = page.getByRole("banner").locator("summary", { hasText: "Menu" });
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await expect(links).toHaveCount(0);

  await menu.click();
  await expect(links).toHaveText([
    "Home",
    "Services",
    "Testimonials",
    "Blog",
    "Savings Calculator",
    "Contact",
    /Book a consultation/,
  ]);
  await page.keyboard.press("Escape");
  await expect(links).toHaveCount(0);

  await menu.click();
  await page.mouse.click(200, 700);
  await expect(links).toHaveCount(0);

  await menu.click();
  await page.getByRole("link", { name: "Savings Calculator" }).click();
  await expect(page).toHaveURL("/savings-calculator");
  await expect(links).toHaveCount(0);
});

test("the footer has its quick links, the services, three social profiles and the year 2025", async ({
  page,
}) => {
  await page.goto("/contact");

  const footer = page.getByRole("contentinfo");
  for (const [name, href] of [
    ["Services", "/#services"],
    ["About", "/#about"],
    ["Testimonials", "/#testimonials"],
    ["Blog", "/blog"],
    ["Contact", "/contact"],
    ...defaultSite.services.map(({ slug, cardTitle }) => [cardTitle, `/services/${slug}`] as const),
    ["Admin Login", "/login"],
  ] as const) {
    await expect(footer.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  }
  const socials = footer.getByRole("link", { name: /opens in a new tab/ });
  await expect(socials).toHaveCount(3);
  for (const social of await socials.all()) {
    await expect(social).toHaveAttribute("href", /^https:/);
    await expect(social).toHaveAttribute("target", "_blank");
    await expect(social).toHaveAttribute("rel", "noopener noreferrer");
  }
  await expect(footer).toContainText(`© 2025 ${defaultSite.firm.name}`);
  await expect(footer.getByRole("button", { name: "Logout" })).toHaveCount(0);
  await footer.getByRole("link", { name: "Admin Login" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Admin Access");
});

test("the footer's links to sections of the home page lead there from any page, every time", async ({
  page,
}) => {
  for (const [name, id] of [
    ["Services", "services"],
    ["About", "about"],
    ["Testimonials", "testimonials"],
  ] as const) {
    await openPage(page, "/blog");
    const link = page.getByRole("contentinfo").getByRole("link", { name, exact: true });
    for (let time = 1; time <= 3; time++) {
      await link.click();
      await expect(page).toHaveURL(`/#${id}`);
      await expectBelowHeader(page, id);
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
    }
  }
});

test("a link to the open page scrolls it to the top", async ({ page }) => {
  // No two addresses in a row that differ in their hash only: each is to be loaded.
  for (const [path, part, link, href] of [
    ["/", "banner", "Home", "/"],
    ["/blog", "contentinfo", "Blog", "/blog"],
    ["/#about", "banner", "Home", "/"],
    ["/services", "banner", "Services", "/services"],
    ["/#about", "contentinfo", defaultSite.firm.name, "/"],
    ["/", "banner", defaultSite.firm.name, "/"],
  ] as const) {
    await openPage(page, path);
    await page.evaluate(() => window.scrollTo({ top: 700, behavior: "instant" }));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);

    await page.getByRole(part).getByRole("link", { name: link, exact: true }).click();

    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect(page).toHaveURL(href);
    await expect(page.getByRole("main")).toBeFocused();
  }
});

test("a link to the open page scrolls at once, without waiting for the network", async ({
  page,
}) => {
  await openPage(page, "/");
  const release = await delayReads(page, "*");
  await page.evaluate(() => window.scrollTo({ top: 700, behavior: "instant" }));

  await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).click();

  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  release();
});

test("a link to the open page that opens a new tab leaves the current tab where it is", async ({
  page,
}) => {
  await openPage(page, "/");
  await page.evaluate(() => window.scrollTo({ top: 700, behavior: "instant" }));
  const link = page.getByRole("banner").getByRole("link", { name: "Home", exact: true });
  const { x, y } = (await link.boundingBox()) ?? { x: 0, y: 0 };
  const opened = page.context().waitForEvent("page");

  // `link.click()` would scroll a sticky element into view first.
  await page.keyboard.down("ControlOrMeta");
  await page.mouse.click(x + 10, y + 10);
  await page.keyboard.up("ControlOrMeta");
  await opened;

  expect(await page.evaluate(() => window.scrollY)).toBe(700);
});

test.describe("with reduced motion", () => {
  test.use({ reducedMotion: "reduce" });

  test("scrolling back to the top is instant", async ({ page }) => {
    await openPage(page, "/");
    await page.evaluate(() => window.scrollTo({ top: 700, behavior: "instant" }));
    const link = page.getByRole("banner").getByRole("link", { name: "Home", exact: true });

    const top = await link.evaluate((element: HTMLElement) => {
      element.click();
      return window.scrollY;
    });

    expect(top).toBe(0);
  });
});

test("a first visit to /#testimonials scrolls to the testimonials and stays there", async ({
  page,
}) => {
  await openPage(page, "/#testimonials");

  await expectBelowHeader(page, "testimonials");
  await expect(page).toHaveURL("/#testimonials");
});

test("the skip link is the first tab stop and moves focus to the content", async ({ page }) => {
  await openPage(page, "/contact");

  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
});

test("a button pressed before hydration acts after it", async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto("/testimonials");

  await page.getByRole("button", { name: "Leave a Review" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  release();

  await expect(page.getByRole("dialog", { name: "Leave a Review" })).toBeVisible();
});

test("a button that is pressed while the page hydrates is pressed once", async ({ page }) => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await page.addInitScript(() => {
    // React Router sets this in the first of many steps of hydration.
    Object.defineProperty(window, "__reactRouterDataRouter", {
      configurable: true,
      set(value) {
        Object.defineProperty(window, "__reactRouterDataRouter", { value });
        setTimeout(() => {
          document.querySelector<HTMLElement>('button[aria-label^="Pause: Client"]')?.click();
        });
      },
    });
  });
  await openPage(page, "/");

  await expect(page.getByRole("button", { name: "Play: Client testimonials" })).toBeVisible();
});

test("a form filled in and submitted before hydration is sent after it", async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto("/contact");

  await page.getByLabel("Full Name").fill("J");
  await page.getByLabel("Full Name").press("Enter");
  release();

  await expect(page.getByText("Name must be at least 2 characters.")).toBeVisible();
  await expect(page.getByLabel("Full Name")).toHaveValue("J");
  await expect(page).toHaveURL("/contact");
});

/** Waits until smooth scrolling has ended with the section's top just below the sticky header. */
async function expectBelowHeader(page: Page, id: string) {
  await expect
    .poll(() => page.evaluate((of) => document.getElementById(of)?.getBoundingClientRect().top, id))
    .toBeCloseTo(96, -1);
  await expect(page.locator(`#${id}`).getByRole("heading").first()).toBeInViewport();
}
