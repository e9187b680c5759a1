// The contrast of every pair of text and background colors, in both color schemes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contrast } from "../config/color.ts";

const css = readFileSync(join(import.meta.dirname, "../tokens.css"), "utf8");
const [lightCss = "", darkCss = ""] = css.split("@media screen and (prefers-color-scheme: dark)");
const light = readColors(lightCss);
const schemes = { light, dark: { ...light, ...readColors(darkCss) } };

const grounds = ["paper", "surface", "sand", "sage"];
const aaa = 7;
const aa = 4.5;
/** Minimum for controls and focus rings (WCAG 1.4.11). */
const graphic = 3;

const pairs: [text: string, ground: string, least: number][] = [
  ...grounds.flatMap((ground): [string, string, number][] => [
    ["ink", ground, aaa],
    ["muted", ground, aaa],
    ["evergreen", ground, aa],
    ["clay", ground, aa],
    ["danger", ground, aa],
    ["edge", ground, graphic],
  ]),
  ["ink", "clay-soft", aaa],
  ["danger", "clay-soft", aa],
  ["paper", "evergreen", aa],
  ["paper", "pine", aa],
  ["paper", "danger", aa],
  ["paper", "danger-strong", aa],
  ["cream", "deep", aaa],
  ["mist", "deep", aaa],
  ["lamp", "deep", aa],
  ["deep", "cream", aaa],
];

for (const [scheme, colors] of Object.entries(schemes)) {
  describe(`in the ${scheme} scheme`, () => {
    test.each(pairs)("%s on %s has a contrast of at least %d", (text, ground, least) => {
      expect(contrast(colors[text] ?? "", colors[ground] ?? "")).toBeGreaterThanOrEqual(least);
    });
  });
}

test("the contrast of black on white is 21", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
});

test("the dark scheme only replaces colors of the light scheme", () => {
  expect(Object.keys(light)).toEqual(expect.arrayContaining(Object.keys(readColors(darkCss))));
  expect(Object.keys(readColors(darkCss)).length).toBeGreaterThan(10);
});

function readColors(text: string): Record<string, string> {
  const found = text.matchAll(/--color-([\w-]+): (#[0-9a-f]{6});/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]));
}
