// Runs axe on the current page at every width and in both color schemes.
import type { Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

const widths = [320, 820, 1440];

/** Dark and light differ in colors only, so only axe's color rules run a second time. */
const schemes = {
  light: { rules: { "target-size": { enabled: true } } },
  dark: { runOnly: ["color-contrast", "link-in-text-block"] },
} satisfies Record<string, RunOptions>;

/** @returns axe's violations; empty when there are none. */
export async function findingsOf(page: Page): Promise<string[]> {
  // Inject axe once per document: parsing its 500 kB takes longer than the analysis.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const findings: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const violations = await page.evaluate(run, schemes[colorScheme]);
      findings.push(...violations.map((violation) => `${colorScheme} ${width}: ${violation}`));
    }
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
