// Runs axe over the page as it stands, at every width and in both colour schemes.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const widths = [320, 820, 1440];

/**
 * @returns what axe found, empty when all is well. Dark differs from light in its colours alone: there
 * only the rules about them run.
 */
export async function findingsOf(page: Page): Promise<string[]> {
  const findings: string[] = [];
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      // Without frames there is nothing to collect in a page of its own.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      if (colorScheme === "light") axe.options({ rules: { "target-size": { enabled: true } } });
      else axe.withRules(["color-contrast", "link-in-text-block"]);
      const { violations } = await axe.analyze();
      for (const { id, nodes } of violations) {
        const places = nodes.map(
          ({ target, any }) => `${target.join(" ")} ${any[0]?.message ?? ""}`,
        );
        findings.push(`${colorScheme} ${width}: ${id}\n  ${places.join("\n  ")}`);
      }
    }
  }
  return findings;
}
