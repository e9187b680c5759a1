// A browser that translates the pages.
import type { Page } from "@playwright/test";
import { expect, onProblem, test, translatedEarly } from "./test.ts";
import { translatePage } from "./translate.ts";
import { type Check, calculate, readPages, sendForms } from "./visitor-flow.ts";

/** All that the page shows, except for toasts, which disappear by themselves. */
async function wordsOf(page: Page): Promise<string> {
  const texts = await page.locator("header, main, footer").allInnerTexts();
  return texts.join("\n").replace(/\s*\n\s*/g, "\n");
}

test("translated pages show the same words as others, wherever a visitor goes", {
  tag: "@long",
}, async ({ page, browser, baseURL, rows }) => {
  const translated = await browser.newPage(baseURL ? { baseURL, reducedMotion: "reduce" } : {});
  const problems: string[] = [];
  onProblem(translated, baseURL, (problem) => problems.push(problem));
  await translated.addInitScript(() => {
    window.addEventListener("hydrated", () => Object.assign(window, { isHydrated: true }));
  });
  await translated.addInitScript(translatePage);
  const pages = [page, translated];

  for (const flow of [
    (page: Page, check: Check) => {
      const name = `Ada ${crypto.randomUUID()}`;
      rows.removeTestimonialsBy(name);
      return sendForms(page, name, check);
    },
    readPages,
    calculate,
  ]) {
    let meeting = Promise.withResolvers<void>();
    let arrived = 0;
    /** Compares the pages where both have arrived. */
    const check = async (place: string) => {
      const { promise, resolve, reject } = meeting;
      arrived++;
      if (arrived === pages.length) {
        arrived = 0;
        meeting = Promise.withResolvers();
        await expect(async () => {
          expect(await wordsOf(translated), place).toEqual(await wordsOf(page));
        })
          .toPass({ timeout: 15_000 })
          .then(resolve, reject);
      }
      await promise;
    };
    await Promise.all(pages.map((page) => flow(page, check)));
  }
  expect(await translated.locator("font font").count()).toBeGreaterThan(50);
  expect(problems.filter((problem) => !translatedEarly.test(problem))).toEqual([]);
});
