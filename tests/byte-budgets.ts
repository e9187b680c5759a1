/**
 * Transfer budgets of a first visit to the home page, in bytes. `tests/byte-budgets.test.ts` checks
 * the build and `tests/e2e/pages.spec.ts` a browser.
 */
export const byteBudgets = {
  /** The page itself, with the settings and the data of its sections. */
  html: 14.7 * 1024,
  /**
   * The scripts needed for hydration. React, its DOM and React Router are 90 KB of it
   * (docs/decisions/2026-11-21-browser-code.md). The page is painted, and its links, menu, rows and
   * images work, before the first script is requested. The names of other files in them, which every build changes,
   * compress to 0.1 KB more or less.
   */
  scripts: 141 * 1024,
  /** All scripts of a visit that scrolls to the end: also the client of the backend and the carousel's engine. */
  allScripts: 170 * 1024,
  /** The number of these files. */
  scriptRequests: 10,
  /** The inline script that loads the other scripts. */
  inlineScripts: 1.5 * 1024,
  /** Those of all pages. The owner's pages have further ones. */
  styles: 11.2 * 1024,
  /** The files with the characters of English. Those with accents load for pages that have one. */
  fonts: 25 * 1024,
  /** Of one such file, so that it arrives in TCP's first 14,600 bytes with its headers. */
  font: 13.2 * 1024,
} as const;
