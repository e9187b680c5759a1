// `npm run screenshots`: images of the pages for docs/design.md, at three widths, light and dark side by side, from the top of
// the page; and those of README.md.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { defaultSettings } from "../app/config/site.ts";
import { sessionStorageKey } from "../app/supabase/browser-client.ts";
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
/** Pages of the owner's. */
const managed = {
  overview: "/manage",
  inbox: "/messages",
  posts: "/manage/posts",
  editor: "/blog/how-much-life-insurance-is-enough/edit",
  settings: "/manage/settings/look",
};
const messages = [
  {
    name: "Ruth Alder",
    message:
      "We bought a house in June, and our second child comes in March. How much cover would you look at first?",
  },
  {
    name: "Tom Beck",
    message: "My employer ends my life insurance with my job. May I keep it, and should I?",
  },
  {
    name: "Ines Costa",
    message: "Thank you for the call on Tuesday. Here are the two policies that I mentioned.",
  },
];
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
  await addMessages();
  const session = await signIn();
  for (const [name, path] of Object.entries(pages)) await saveImage(browser, name, path);
  for (const [name, path] of Object.entries(managed)) await saveImage(browser, name, path, session);
  await saveForReadme(browser, "home", "/");
  await saveForReadme(browser, "editor", managed.editor, session);
} finally {
  await browser.close();
  await site.stop();
}

/** What the inbox shows. */
async function addMessages(): Promise<void> {
  for (const { name, message } of messages) {
    const email = `${name.split(" ")[0]?.toLowerCase()}@example.com`;
    const body = JSON.stringify({ name, email, phone: "(503) 555-0199", message });
    await fetch(`${site.url}/functions/v1/send-email`, {
      method: "POST",
      headers: { apikey: site.anonKey, "Content-Type": "application/json" },
      body,
    });
  }
}

/** @returns the stored session */
async function signIn(): Promise<string> {
  const client = createClient(site.url, site.anonKey);
  const { data, error } = await client.auth.signInWithPassword(site.owner);
  if (error) throw error;
  await client.rpc("set_my_name", { name: defaultSettings.adviser.name }).throwOnError();
  return JSON.stringify(data.session);
}

async function open(browser: Browser, path: string, session?: string): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  if (session) {
    await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
      sessionStorageKey,
      session,
    ] as const);
  }
  await page.goto(site.url + path, { waitUntil: "networkidle" });
  return page;
}

async function saveForReadme(browser: Browser, name: string, path: string, session?: string) {
  const page = await open(browser, path, session);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.waitForLoadState("networkidle");
  await sharp(await page.screenshot())
    .png({ palette: true })
    .toFile(join(folder, `../${name}.png`));
  await page.close();
}

async function saveImage(
  browser: Browser,
  name: string,
  path: string,
  session?: string,
): Promise<void> {
  const page = await open(browser, path, session);
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
