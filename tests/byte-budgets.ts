/**
 * What a first visit to the home page may cost, in bytes as they travel. `tests/byte-budgets.test.ts` holds
 * the build to it, `tests/e2e/first-visit.spec.ts` a browser.
 */
export const byteBudgets = {
  /**
   * Scripts that have to arrive before React takes the page over. React, its DOM and React Router are
   * 90 KB of it (docs/decisions/2026-11-21-browser-code.md). The page is painted, and its links, menu, rows and
   * images work, before the first of them is requested.
   */
  scripts: 114 * 1024,
  /** The script in the page itself, which starts the others. */
  inlineScripts: 3 * 1024,
  styles: 12 * 1024,
  fonts: 45 * 1024,
} as const;
