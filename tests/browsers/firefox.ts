import { type ElementHandle, launch } from "puppeteer-core";
import type { Browser } from "./browser.ts";
import { createTemporaryFolder, endAtExit, endNow, remove } from "./cleanup.ts";

const timeout = 30_000;

/** Headless Firefox over WebDriver BiDi. */
export async function startFirefox(executablePath: string): Promise<Browser> {
  const profile = createTemporaryFolder("firefox-profile");
  const firefox = await launch({
    browser: "firefox",
    protocol: "webDriverBiDi",
    executablePath,
    headless: true,
    userDataDir: profile,
    timeout,
    protocolTimeout: timeout,
    // cleanup.ts ends Firefox on these signals.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const child = firefox.process();
  if (child) endAtExit(child);
  const page = await firefox.newPage();

  async function find(xpath: string): Promise<ElementHandle<Element>> {
    const element = await page.$(`xpath/${xpath}`);
    if (!element) throw new Error(`No element ${xpath}`);
    return element;
  }

  return {
    resize: (width) => page.setViewport({ width, height: 800 }),
    goto: async (url) => void (await page.goto(url, { waitUntil: "load", timeout })),
    click: async (xpath) => (await find(xpath)).click(),
    type: async (xpath, text) => (await find(xpath)).type(text),
    async upload(xpath, file) {
      const input = await (await find(xpath)).toElement("input");
      await input.uploadFile(file);
    },
    evaluate: (expression) => page.evaluate(expression),
    async close() {
      await Promise.race([firefox.close(), new Promise((done) => setTimeout(done, 5_000))]);
      if (child) await endNow(child);
      remove(profile);
    },
  };
}
