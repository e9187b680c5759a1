// Draws the mails of tests/mail-samples.ts at 375 and 700 px, light and dark, into tests/mails: `node scripts/mail-pictures.ts`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { composeSample, mailNames } from "../tests/mail-samples.ts";
import { ensureBrowser } from "./browser.mjs";

const folder = join(import.meta.dirname, "../tests/mails");
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: await ensureBrowser() });
for (const [width, colorScheme] of [
  [375, "light"],
  [700, "dark"],
] as const) {
  const page = await browser.newPage({ viewport: { width, height: 300 }, colorScheme });
  for (const name of mailNames) {
    await page.setContent(composeSample(name).html);
    const picture = await page.screenshot({ fullPage: true });
    await sharp(picture)
      .webp({ quality: 60 })
      .toFile(join(folder, `${name}-${width}.webp`));
  }
}
await browser.close();
