import type { Page } from "@playwright/test";
import sharp from "sharp";
import { defaultSite } from "../default-site.ts";
import { findingsOf } from "./access/axe.ts";
import { delayReads, delayScripts, expect, openPage, test, waitForHydration } from "./test.ts";

test.use({ reducedMotion: "no-preference" });

function scrollTo(page: Page, top: number): Promise<void> {
  return page.evaluate((to) => window.scrollTo({ top: to, behavior: "instant" }), top);
}

function scrollPosition(page: Page): Promise<number> {
  return page.evaluate(() => window.scrollY);
}

test("grids and carousels have one, two or three columns, and cards appear 0.1 s apart", async ({
  page,
}) => {
  const columns = [
    [390, 1],
    [800, 2],
    [1280, 3],
  ] as const;
  for (const path of ["/services", "/testimonials"]) {
    await page.goto(path);
    const cards = page.getByRole("main").getByRole("listitem");
    for (const [width, count] of columns) {
      await page.setViewportSize({ width, height: 900 });
      const lefts = await cards.evaluateAll((all) =>
        all.map((card) => Math.round(card.getBoundingClientRect().left)),
      );
      expect(new Set(lefts).size, `${path} at ${width} pixels`).toBe(count);
    }
    const delays = await cards.evaluateAll((all) =>
      all.slice(0, 4).map((card) => getComputedStyle(card).animationDelay),
    );
    expect(delays).toEqual(["0s", "0.1s", "0.2s", "0.3s"]);
  }
  await openPage(page, "/");
  for (const [width, count] of columns) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ["Client testimonials", "Articles"]) {
      const [whole = 0, one = 1] = await page.getByRole("region", { name }).evaluate((section) => {
        const slide = section.querySelector("li");
        const parts = [slide?.closest("ul")?.parentElement, slide];
        return parts.map((part) => part?.getBoundingClientRect().width);
      });
      expect(whole / one, `${name} at ${width} pixels`).toBeCloseTo(count, 1);
    }
  }
});

test("a visually hidden label in a scroll container is positioned within it", {
  tag: "@long",
}, async ({ page, rows }) => {
  const name = `Label ${crypto.randomUUID()}`;
  await rows.addTestimonial({ name, content: "She counted every dollar with us. ".repeat(30) });
  for (const path of ["/", "/testimonials", "/blog", "/savings-calculator", "/contact"]) {
    await openPage(page, path);
    if (path === "/savings-calculator") {
      await page.getByRole("button", { name: "Project Savings" }).click();
      await expect(page.getByText("Estimated Savings at Retirement")).toBeVisible();
    }
    const escaping = await page.locator(".sr-only").evaluateAll((labels) =>
      labels.flatMap((label) => {
        const scrolls = (element: Element) =>
          /auto|scroll/.test(getComputedStyle(element).overflow);
        let container = label.parentElement;
        while (container && !scrolls(container)) container = container.parentElement;
        const position = label instanceof HTMLElement ? label.offsetParent : null;
        return !container || !position || container.contains(position) ? [] : [label.textContent];
      }),
    );
    expect(escaping, path).toEqual([]);
  }
});

test("a page that nobody touches is laid out with its images, and at once when a reload returns to a place in it", {
  tag: "@long",
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  // As for what captures whole pages: no input and no scrolling, also in the first moments of a page.
  await page.goto("/");
  const blog = page.locator("#blog > *");
  const waiting = () =>
    page.evaluate(
      () =>
        [
          ...[...document.querySelectorAll("main > * > *")].filter(
            (part) =>
              part.checkVisibility() && !part.checkVisibility({ contentVisibilityAuto: true }),
          ),
          ...[...document.images].filter(
            (image) => !image.complete && image.getBoundingClientRect().left < innerWidth,
          ),
        ].length,
    );
  await expect.poll(waiting).toBe(0);
  await waitForHydration(page);
  const untouched = await page.screenshot({ fullPage: true });

  await blog.evaluate((section) => section.scrollIntoView({ behavior: "instant" }));
  await expect(blog.locator("[data-slides]")).toHaveCSS("overflow-x", "hidden");
  await scrollTo(page, 0);
  const scrolled = await page.screenshot({ fullPage: true });
  expect(await differentPixels(untouched, scrolled)).toBeLessThan(500);

  await blog.evaluate((section) => section.scrollIntoView({ behavior: "instant" }));
  const top = () => blog.evaluate((part) => Math.round(part.getBoundingClientRect().top));
  const before = await top();
  await page.reload();
  await expect.poll(top).toBe(before);
});

/** How many pixels of two screenshots differ by more than the smoothing of edges. */
async function differentPixels(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((image) =>
      sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  expect(b?.info).toEqual(a?.info);
  const values = b?.data ?? Buffer.alloc(0);
  return a?.data.filter((value, at) => Math.abs(value - (values[at] ?? 0)) > 32).length ?? 0;
}

test("the header is sticky, the footer has its links, the services and three social profiles", async ({
  page,
}) => {
  await page.goto("/services");
  const header = page.getByRole("banner");
  await expect(header.getByRole("navigation").getByRole("link")).toHaveText([
    ...["Home", "Services", "Testimonials", "Blog", "Savings Calculator", "Contact"],
  ]);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => scrollPosition(page)).toBeGreaterThan(300);
  await expect(header).toBeInViewport({ ratio: 1 });

  const footer = page.getByRole("contentinfo");
  for (const [name, href] of [
    ["Services", "/#services"],
    ["About", "/#about"],
    ["Testimonials", "/#testimonials"],
    ["Blog", "/blog"],
    ["Contact", "/contact"],
    ...defaultSite.services.map(({ slug, cardTitle }) => [cardTitle, `/services/${slug}`] as const),
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

  await header.getByRole("link", { name: defaultSite.firm.name }).click();
  await expect(page).toHaveURL("/");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test("a dropdown menu has the same links and closes by choice and an outside tap", async ({
    page,
  }) => {
    await openPage(page, "/");
    const menu = page.getByRole("banner").locator("summary", { hasText: "Menu" });
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    await expect(links).toHaveCount(0);
    await menu.click();
    await expect(links).toHaveText([
      ...["Home", "Services", "Testimonials", "Blog", "Savings Calculator", "Contact"],
      /Book a consultation/,
    ]);
    await page.mouse.click(200, 700);
    await expect(links).toHaveCount(0);
    await menu.click();
    await page.getByRole("link", { name: "Savings Calculator" }).click();
    await expect(page).toHaveURL("/savings-calculator");
    await expect(links).toHaveCount(0);
    await menu.click();
    await expect(links.first()).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
    // The header scrolls away, for example at 400 % zoom.
    await page.setViewportSize({ width: 390, height: 400 });
    await expect(links.first()).toBeInViewport();
  });

  test("the consultation bar stays in reach and never covers links, forms, the footer or the focus", {
    tag: "@long",
  }, async ({ page }) => {
    await openPage(page, "/");
    const links = page.getByRole("complementary", { name: "Consultation" }).getByRole("link");
    const bar = links.filter({ hasText: "Book a consultation" });
    await expect(bar).toHaveCount(0);
    await page.locator("#about").scrollIntoViewIfNeeded();
    await expect(bar).toBeInViewport();
    await expect(links.filter({ hasText: "Call" })).toHaveAttribute("href", /^tel:/);
    await page.getByRole("main").getByRole("link", { name: "Estate Planning" }).focus();
    await page.keyboard.press("Shift+Tab");
    await expect(bar).toHaveCount(0);
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await expect(bar).toHaveCount(0);

    await openPage(page, "/services/life-insurance");
    await expect(bar).toBeInViewport();
    // Only the top of the card with the same link is in view.
    await page.getByRole("complementary", { name: "Talk it through first" }).evaluate((card) => {
      const { top } = card.getBoundingClientRect();
      window.scrollBy({ top: top - window.innerHeight + 20, behavior: "instant" });
    });
    await expect(bar).toHaveCount(0);
  });
});

test("links to sections of the home page lead there from any page, every time", async ({
  page,
}) => {
  const footer = page.getByRole("contentinfo");
  await openPage(page, "/blog");
  for (const [name, id] of [
    ["Services", "services"],
    ["Services", "services"],
    ["About", "about"],
    ["Testimonials", "testimonials"],
  ] as const) {
    await footer.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(`/#${id}`);
    await expectBelowHeader(page, id);
    await scrollTo(page, 0);
  }
  await openPage(page, "/contact");
  await openPage(page, "/#testimonials");
  await expectBelowHeader(page, "testimonials");
  await expect(page).toHaveURL("/#testimonials");
});

test("a hash on a page other than home scrolls to its element, and a malformed one does no harm", {
  tag: "@long",
}, async ({ page }) => {
  await openPage(page, "/services#content");
  await page.evaluate(() => {
    const heading = document.querySelectorAll("main h2")[6];
    if (heading) heading.id = "somewhere";
    window.location.hash = "#somewhere";
  });
  await expect(page.locator("#somewhere")).toBeInViewport();
  await page.evaluate(() => {
    window.location.hash = "#%";
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Services");
});

test("a link to the open page scrolls it to the top at once, and one for a new tab does not", {
  tag: "@long",
}, async ({ page }) => {
  for (const [path, part, link, href] of [
    ["/#about", "contentinfo", defaultSite.firm.name, "/"],
    ["/services", "banner", "Services", "/services"],
    ["/", "banner", "Home", "/"],
  ] as const) {
    await openPage(page, path);
    await scrollTo(page, 700);
    // The top is reached although no read gets a response.
    const release = await delayReads(page, "*");
    await page.getByRole(part).getByRole("link", { name: link, exact: true }).click();
    await expect.poll(() => scrollPosition(page), { intervals: [100] }).toBe(0);
    await expect(page).toHaveURL(href);
    await expect(page.getByRole("main")).toBeFocused();
    release();
    await page.unrouteAll({ behavior: "wait" });
  }
  await scrollTo(page, 700);
  const link = page.getByRole("banner").getByRole("link", { name: "Home", exact: true });
  const { x, y } = (await link.boundingBox()) ?? { x: 0, y: 0 };
  const opened = page.context().waitForEvent("page");
  // `link.click()` would scroll a sticky element into view first.
  await page.keyboard.down("ControlOrMeta");
  await page.mouse.click(x + 10, y + 10);
  await page.keyboard.up("ControlOrMeta");
  await opened;
  expect(await scrollPosition(page)).toBe(700);
});

test.describe("with reduced motion", () => {
  test.use({ reducedMotion: "reduce" });

  test("scrolling back to the top is instant", { tag: "@long" }, async ({ page }) => {
    await openPage(page, "/");
    await scrollTo(page, 700);
    const link = page.getByRole("banner").getByRole("link", { name: "Home", exact: true });
    const top = await link.evaluate((element: HTMLElement) => {
      element.click();
      return window.scrollY;
    });
    expect(top).toBe(0);
  });
});

test("a button pressed and a form submitted before hydration act after it", {
  tag: "@long",
}, async ({ page }) => {
  let release = await delayScripts(page);
  await page.goto("/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  release();
  await expect(page.getByRole("dialog", { name: "Leave a Review" })).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });

  release = await delayScripts(page);
  await page.goto("/contact");
  await page.getByLabel("Full Name").fill("J");
  await page.getByLabel("Full Name").press("Enter");
  release();
  await expect(page.getByText("Name must be at least 2 characters.")).toBeVisible();
  await expect(page.getByLabel("Full Name")).toHaveValue("J");
  await expect(page).toHaveURL("/contact");
});

test("a button that is pressed while the page hydrates is pressed once", { tag: "@long" }, async ({
  page,
}) => {
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

/** Waits until smooth scrolling has ended with the section's top just below the sticky header. */
async function expectBelowHeader(page: Page, id: string) {
  const top = () =>
    page.evaluate((of) => document.getElementById(of)?.getBoundingClientRect().top, id);
  await expect.poll(top, { intervals: [100] }).toBeCloseTo(96, -1);
  await expect(page.locator(`#${id}`).getByRole("heading").first()).toBeInViewport();
}
