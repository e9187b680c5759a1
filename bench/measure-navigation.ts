// Measures navigation inside the site on a simulated phone: from the press on a link until the next page's heading is
// painted.
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { median } from "./figures.ts";

/** Lighthouse's phone: a processor 4 times slower, 150 ms, 1.6 Mbit/s. */
const slowdown = 4;
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/** How many milliseconds a visitor reads a page before the next press. */
const readingTime = 2_000;

/** The links that a visitor presses, by the name of the row in the table. */
const steps: [name: string, press: (page: Page) => Promise<void>][] = [
  ["Services", fromMenu("/services")],
  ["a service", press("main a[href^='/services/']")],
  ["Blog", fromMenu("/blog")],
  ["a post", press("main a[href^='/blog/']:not([href*='category'])")],
  ["Testimonials", fromMenu("/testimonials")],
  ["Calculators", fromMenu("/savings-calculator")],
  ["Contact", fromMenu("/contact")],
  ["Home", press("header a[href='/']")],
];

export const navigationColumns = ["median ms", "p75 ms"];

/** @returns the rows of the table: one for each link, and one for all of them. */
export async function measureNavigation(
  url: string,
  runs: number,
  executablePath: string,
): Promise<[string, ...number[]][]> {
  const times = new Map(steps.map(([name]): [string, number[]] => [name, []]));
  for (let run = 0; run < runs; run++) {
    // A fresh browser for each run, with an empty cache.
    const browser = await chromium.launch({ executablePath });
    try {
      const page = await browser.newPage({
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      });
      const devTools = await page.context().newCDPSession(page);
      await devTools.send("Network.enable");
      await devTools.send("Network.emulateNetworkConditions", network);
      await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      await page.goto(url, { waitUntil: "networkidle" });
      for (const [name, follow] of steps) {
        await sleep(readingTime);
        await page.evaluate(watchHeading);
        await follow(page);
        times.get(name)?.push(await page.evaluate(() => window.headingPainted));
      }
    } finally {
      await browser.close();
    }
  }
  return [...times, ["all", [...times.values()].flat()] as const].map(([name, list]) => [
    name,
    Math.round(median(list)),
    Math.round(upperQuartile(list)),
  ]);
}

function press(selector: string) {
  return async (page: Page) => {
    await page.locator(selector).first().scrollIntoViewIfNeeded();
    await page.locator(selector).first().tap();
  };
}

function fromMenu(path: string) {
  return async (page: Page) => {
    await page.locator("header summary").tap();
    await page.locator(`header details a[href='${path}']`).tap();
  };
}

declare global {
  interface Window {
    /** Milliseconds between the press on a link and the paint of the next page's heading. */
    headingPainted: Promise<number>;
  }
}

/** Runs in the page. */
function watchHeading(): void {
  const before = document.querySelector("h1")?.textContent;
  let pressedAt = 0;
  addEventListener(
    "pointerdown",
    ({ timeStamp }) => {
      pressedAt = timeStamp;
    },
    true,
  );
  window.headingPainted = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const heading = document.querySelector("h1:not(.sr-only)");
      if (!heading || heading.textContent === before) return;
      observer.disconnect();
      // A task after the next frame runs once that frame is painted.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressedAt)));
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  });
}

function upperQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? Number.NaN;
}
