// Runs axe on the current page at several widths and in both color schemes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { RunOptions } from "axe-core";

// The compressed file: parsing it takes as long as an analysis, and half as long as `axe.source`.
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const everyRule: RunOptions = { rules: { "target-size": { enabled: true } } };
const colorRules: RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] };
/** What can differ between widths that show the same elements. */
const layoutRules: RunOptions = {
  runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
};

/**
 * The narrow and the wide page show different elements. A page of middle width shows parts of
 * both, so only its layout can be wrong. Dark and light differ in colors only.
 */
const runs: { width: number; colorScheme: "light" | "dark"; options: RunOptions }[] = [
  { width: 320, colorScheme: "light", options: everyRule },
  { width: 820, colorScheme: "light", options: layoutRules },
  { width: 1440, colorScheme: "light", options: everyRule },
  { width: 320, colorScheme: "dark", options: colorRules },
  { width: 1440, colorScheme: "dark", options: colorRules },
];

/** @returns axe's violations; empty when there are none. */
export async function findingsOf(page: Page): Promise<string[]> {
  // Once per document.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const findings: string[] = [];
  for (const { width, colorScheme, options } of runs) {
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const violations = await page.evaluate(run, options);
    findings.push(...violations.map((violation) => `${colorScheme} ${width}: ${violation}`));
  }
  return findings;
}

/** Reduces the result in the page, so that only the parts in use are transferred. */
async function run(options: RunOptions): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
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
