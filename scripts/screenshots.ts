// `npm run screenshots`: images of every page for docs/design.md, at three widths, light and dark
// side by side, from the top of the page.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import sharp from "sharp";
import { startNewSite } from "../tests/start-site.ts";
import { ensureBrowser } from "./browser.mjs";

const pages = {
  home: "/",
  services: "/services",
  service: "/services/life-insurance",
  blog: "/blog",
  post: "/blog/how-much-life-insurance-is-enough",
  testimonials: "/testimonials",
  calculators: "/savings-calculator",
  contact: "/contact",
  login: "/login",
  missing: "/no-such-page",
};
/** Widths in CSS pixels, before and after scaling. Limited heights keep the files small. */
const views = [
  { width: 390, height: 1700, scaledTo: 320 },
  { width: 820, height: 1700, scaledTo: 440 },
  { width: 1440, height: 1900, scaledTo: 640 },
];

const folder = join(import.meta.dirname, "../docs/design");
const site = await startNewSite();
const browser = await chromium.launch({ executablePath: await ensureBrowser() });
try {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(pages)) await saveImage(browser, name, path);
} finally {
  await browser.close();
  await site.stop();
}

async function saveImage(browser: Browser, name: string, path: string): Promise<void> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto(site.url + path, { waitUntil: "networkidle" });
  if (name === "calculators") {
    await page.getByRole("button", { name: "Calculate Coverage" }).click();
    await page.getByRole("button", { name: "Project Savings" }).click();
  }
  for (const { width, height, scaledTo } of views) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    const shots: Buffer[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // The dark version, which the owner can switch on.
      await page.evaluate(() => document.documentElement.toggleAttribute("data-dark", true));
      await page.waitForLoadState("networkidle");
      shots.push(
        await sharp(await page.screenshot())
          .resize({ width: scaledTo })
          .toBuffer(),
      );
    }
    await sharp({
      create: {
        width: 2 * scaledTo,
        height: Math.round((height * scaledTo) / width),
        channels: 3,
        background: "white",
      },
    })
      .composite(shots.map((input, index) => ({ input, left: index * scaledTo, top: 0 })))
      .webp({ quality: 60 })
      .toFile(join(folder, `${name}-${width}.webp`));
  }
  await page.close();
  console.log(`  ${name}`);
}
