// Runs axe on the current page at several widths and in both color schemes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { RunOptions } from "axe-core";
import { layOutSections } from "../test.ts";

// The compressed file: parsing it takes as long as an analysis, and half as long as `axe.source`.
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const everyRule: RunOptions = { rules: { "target-size": { enabled: true } } };
/** The rules whose result can differ between widths that show the same elements. */
const layoutRules: RunOptions = {
  runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
};

type Run = [width: number, colorScheme: "light" | "dark", options: RunOptions];

/** The narrow and the wide page show different elements; light and dark pages have different colors. */
const runsOfState: Run[] = [
  [320, "light", everyRule],
  [1440, "dark", layoutRules],
];
/** A page of medium width shows elements of both, so only its layout can be wrong. */
const runsOfPage: Run[] = [
  [320, "light", everyRule],
  [820, "light", layoutRules],
  [1440, "dark", everyRule],
];

/** @returns axe's violations of a page as it is loaded; empty when there are none */
export function findingsOfPage(page: Page): Promise<string[]> {
  return analyze(page, runsOfPage);
}

/** @returns axe's violations of a state of a page, such as a form with errors */
export function findingsOf(page: Page): Promise<string[]> {
  return analyze(page, runsOfState);
}

async function analyze(page: Page, runs: Run[]): Promise<string[]> {
  // Injects axe once per document.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const findings: string[] = [];
  // axe finds the backgrounds of a section only once it is laid out.
  await layOutSections(page);
  for (const [width, colorScheme, options] of runs) {
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
    // The dark version, which the owner can switch on.
    await page.evaluate(showDark, colorScheme === "dark");
    await page.setViewportSize({ width, height: 900 });
    const violations = await page.evaluate(run, options);
    findings.push(...violations.map((violation) => `${colorScheme} ${width}: ${violation}`));
  }
  return findings;
}

function showDark(isShown: boolean): void {
  document.documentElement.toggleAttribute("data-dark", isShown);
}

/** Reduces the result inside the page, so that only the used parts are transferred. */
async function run(options: RunOptions): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  // Reduced motion spares an animation that a script has started, and text that appears late: half faded, both lack
  // contrast.
  for (const animation of document.getAnimations()) animation.cancel();
  // The sticky header covers a part of whatever the page is scrolled to.
  window.scrollTo({ top: 0, behavior: "instant" });
  const { violations } = await axe.run(document, {
    ...options,
    iframes: false,
    resultTypes: ["violations"],
  });
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(({ target, any }) => `${target.join(" ")} ${any[0]?.message ?? ""}`);
    return `${id}\n  ${places.join("\n  ")}`;
  });
}
