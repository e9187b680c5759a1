// Runs axe over the page as it stands, at every width and in both colour schemes.
import type { Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

const widths = [320, 820, 1440];

/** Dark differs from light in its colours alone: there only the rules about them run. */
const schemes = {
  light: { rules: { "target-size": { enabled: true } } },
  dark: { runOnly: ["color-contrast", "link-in-text-block"] },
} satisfies Record<string, RunOptions>;

/** @returns what axe found, empty when all is well. */
export async function findingsOf(page: Page): Promise<string[]> {
  // Once for each document: its half a megabyte would take longer than its findings.
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

/** In the page, of which no more comes back than is read. */
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
