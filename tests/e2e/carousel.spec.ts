import type { Locator, Page } from "@playwright/test";
import { expect, test, waitForHydration } from "./test.ts";

// The tests run the page's clock faster than a busy machine loads the client for live changes.
test.use({
  expectedErrors: /^Listening to changes failed/,
  reducedMotion: "no-preference",
});

test("the carousels of the home page advance every 3 and 5 seconds and loop", async ({ page }) => {
  for (const [name, interval] of [
    ["Client testimonials", 3000],
    ["Articles", 5000],
  ] as const) {
    const carousel = await openWithPausedClock(page, name);
    const slides = await carousel.getByRole("listitem").count();

    // The interval restarts when the pointer leaves.
    await carousel.getByRole("listitem").first().hover();
    await page.getByRole("banner").hover();
    await page.clock.runFor(interval - 100);
    await expectFirst(carousel, 1);
    await page.clock.runFor(1100);
    await expectFirst(carousel, 2);
    for (let step = 2; step <= slides; step++) {
      await page.clock.runFor(interval);
      await expectFirst(carousel, (step % slides) + 1);
    }
  }
});

test("a carousel pauses under the pointer, under the focus and by its button, and keeps running afterwards", async ({
  page,
}) => {
  const carousel = await openWithPausedClock(page, "Client testimonials");
  const leave = () => page.getByRole("banner").hover();

  await carousel.getByRole("figure").first().hover();
  await page.clock.runFor(10_000);
  await expectFirst(carousel, 1);
  await leave();
  await page.clock.runFor(4000);
  await expectFirst(carousel, 2);

  await carousel.getByRole("button", { name: "Previous slide" }).focus();
  await page.keyboard.press("Tab");
  await expect(carousel.getByRole("button", { name: "Next slide" })).toBeFocused();
  await page.clock.runFor(10_000);
  await expectFirst(carousel, 2);
  await page.keyboard.press("Enter");
  await page.clock.runFor(2000);
  await expectFirst(carousel, 3);
  await page.keyboard.press("Tab");
  await expect(carousel.locator(":focus")).toHaveCount(0);
  await page.clock.runFor(4000);
  await expectFirst(carousel, 4);

  await carousel.getByRole("button", { name: "Next slide" }).click();
  await page.clock.runFor(1000);
  await expectFirst(carousel, 5);
  await carousel.getByRole("button", { name: "Previous slide" }).click();
  await page.clock.runFor(1000);
  await expectFirst(carousel, 4);
  await leave();
  await page.clock.runFor(4000);
  await expectFirst(carousel, 5);

  await carousel.getByRole("button", { name: "Pause" }).click();
  await leave();
  await page.clock.runFor(20_000);
  await expectFirst(carousel, 5);
  await expect(carousel.getByRole("list").first()).toHaveAttribute("aria-live", "polite");
  await carousel.getByRole("button", { name: "Play" }).click();
  await leave();
  await page.clock.runFor(4000);
  await expectFirst(carousel, 6);
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("a carousel keeps running after a tap", { tag: "@long" }, async ({ page }) => {
    const carousel = await openWithPausedClock(page, "Client testimonials");

    await carousel.getByRole("figure").first().tap();
    await page.clock.runFor(4000);
    await expectFirst(carousel, 2);
    await carousel.getByRole("button", { name: "Next slide" }).tap();
    await page.clock.runFor(5000);
    await expectFirst(carousel, 4);
  });
});

test.describe("with reduced motion", () => {
  test.use({ reducedMotion: "reduce" });

  test("a carousel starts paused, can be moved by hand, and plays on request", {
    tag: "@long",
  }, async ({ page }) => {
    const carousel = await openWithPausedClock(page, "Client testimonials");

    // Three intervals of a playing carousel are shorter than the time that a script may take to load.
    await page.clock.runFor(10_000);
    await expectFirst(carousel, 1);
    await carousel.getByRole("button", { name: "Next slide" }).click();
    await page.clock.runFor(500);
    await expectFirst(carousel, 2);

    await carousel.getByRole("button", { name: "Play" }).click();
    await page.getByRole("banner").hover();
    await page.clock.runFor(4000);
    await expectFirst(carousel, 3);
  });
});

/** Scrolls a home-page carousel into view, on a page whose clock only the test advances. */
async function openWithPausedClock(page: Page, name: string): Promise<Locator> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto("/");
  await page.clock.runFor(100);
  await waitForHydration(page);
  const carousel = page.getByRole("region", { name });
  await carousel.scrollIntoViewIfNeeded();
  // The carousel script loads when the carousel is near the viewport.
  await expect(carousel.locator("div").first()).toHaveCSS("overflow-x", "hidden");
  await expectFirst(carousel, 1);
  return carousel;
}

/** Waits until the carousel stops with this slide first. */
async function expectFirst(carousel: Locator, slide: number): Promise<void> {
  const offset = () =>
    carousel.getByRole("listitem").evaluateAll((slides, index) => {
      const row = slides[0]?.closest("section")?.querySelector("div")?.getBoundingClientRect();
      return Math.abs((slides[index]?.getBoundingClientRect().left ?? 0) - (row?.left ?? 0));
    }, slide - 1);
  await expect.poll(offset, { message: `slide ${slide} in front` }).toBeLessThan(8);
}
