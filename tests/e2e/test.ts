import { test as base, expect } from "@playwright/test";

/** What a page may print: an answer that the test itself provokes. */
interface Options {
  expectedErrors: RegExp[];
}

/**
 * Playwright's test, with a page that fails the test on a console error, a hydration mismatch, an
 * uncaught exception or an unhandled rejection.
 */
export const test = base.extend<Options>({
  expectedErrors: [[], { option: true }],
  page: async ({ page, expectedErrors }, use) => {
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await use(page);
    expect(
      problems.filter((problem) => !expectedErrors.some((pattern) => pattern.test(problem))),
    ).toEqual([]);
  },
});

export { expect };

/** Waits until the page has its scripts: a click before that is repeated, but a test must not wait on luck. */
export async function hydrated(page: import("@playwright/test").Page): Promise<void> {
  await page.waitForFunction(() => "__reactRouterDataRouter" in window);
}
