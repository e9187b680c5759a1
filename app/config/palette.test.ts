import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contrast, mix, toHex, toOklch } from "./color.ts";
import { defaultColors, derivePalette } from "./palette.ts";

const css = readFileSync(join(import.meta.dirname, "../tokens.css"), "utf8");
const [lightCss = "", darkCss = ""] = css.split("@media screen and (prefers-color-scheme: dark)");
const defaults = { light: readColors(lightCss), dark: readColors(darkCss) };

/** Generates the same colors in every run (mulberry32). */
function* randomColors(count: number): Generator<string> {
  let state = 20_261_122;
  for (let index = 0; index < count; index += 1) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield `#${((mixed ^ (mixed >>> 14)) >>> 8).toString(16).padStart(6, "0")}`;
  }
}

const extremes = ["#000000", "#ffffff", "#ffff00", "#00ff00", "#0000ff", "#ff0000", "#808080"];
const colors = [...extremes, ...randomColors(300)];

const backgrounds = ["warm", "cool", "white"] as const;
const grounds = ["paper", "surface", "sand", "sage"];
const pairs: [text: string, ground: string, least: number][] = [
  ...grounds.flatMap((ground): [string, string, number][] => [
    ["ink", ground, 7],
    ["muted", ground, 7],
    ["evergreen", ground, 4.5],
    ["clay", ground, 4.5],
    ["danger", ground, 4.5],
    ["edge", ground, 3],
  ]),
  ["ink", "clay-soft", 7],
  ["danger", "clay-soft", 4.5],
  ["paper", "evergreen", 4.5],
  ["paper", "pine", 4.5],
  ["cream", "deep", 7],
  ["mist", "deep", 7],
  ["lamp", "deep", 4.5],
];

/** Both schemes of the default colors, and of any two. */
function* allSchemes() {
  for (const [index, main] of [null, ...colors].entries()) {
    const accent = main && (colors[(index * 7 + 3) % colors.length] ?? "");
    const background = backgrounds[index % backgrounds.length];
    const palette = derivePalette(main, accent, background);
    const light = { ...defaults.light, ...palette.light };
    yield {
      what: `${main} and ${accent}, ${background}`,
      schemes: { light, dark: { ...light, ...defaults.dark, ...palette.dark } },
    };
  }
}

test("in the chart of the calculator, what is paid in and what growth added are told apart", () => {
  for (const { what, schemes } of allSchemes()) {
    for (const [scheme, colors] of Object.entries(schemes)) {
      // As `fill-clay/18` on the ground of a result.
      const growth = mix(property(colors, "sage"), property(colors, "clay"), 0.18);
      expect(contrast(property(colors, "evergreen"), growth), `${what}, ${scheme}`).toBeGreaterThan(
        3,
      );
    }
  }
});

test("text and controls have enough contrast with any two colors, in both schemes", () => {
  const failures = [...allSchemes()].flatMap(({ what, schemes }) => {
    return Object.entries(schemes).flatMap(([scheme, colors]) =>
      pairs
        .map(([text, ground, least]) => ({
          what: `${what}, ${scheme}: ${text} on ${ground}`,
          missing: least - contrast(property(colors, text), property(colors, ground)),
        }))
        .filter(({ missing }) => missing > 0),
    );
  });
  expect(failures).toEqual([]);
});

test("a color with enough contrast is used as given", () => {
  const { light, adjusted } = derivePalette("#1f3a8a", "#9d174d");
  expect(light).toMatchObject({ evergreen: "#1f3a8a", clay: "#9d174d" });
  expect(adjusted).toEqual({ main: false, accent: false });
});

test("a color with too little contrast is darkened, keeps its hue and is reported", () => {
  const { light, adjusted } = derivePalette("#7dd3fc", null);
  expect(adjusted).toEqual({ main: true, accent: false });
  const [given, shown] = [toOklch("#7dd3fc"), toOklch(property(light, "evergreen"))];
  expect(shown.lightness).toBeLessThan(given.lightness);
  expect(Math.abs(shown.hue - given.hue)).toBeLessThan(8);
});

test("without colors nothing is derived, and one color suffices", () => {
  expect(derivePalette(null, null)).toEqual({
    light: {},
    dark: {},
    adjusted: { main: false, accent: false },
  });
  const names = (main: string | null, accent: string | null) =>
    Object.keys(derivePalette(main, accent).light);
  expect(names("#1f3a8a", null)).toEqual(names("#1f3a8a", "#9d174d"));
  expect(names(null, "#9d174d")).toEqual(names("#1f3a8a", "#9d174d"));
});

test("derived colors replace colors of the tokens, and the tokens name the default ones", () => {
  const { light, dark } = derivePalette("#1f3a8a", "#9d174d");
  for (const name of [...Object.keys(light), ...Object.keys(dark)]) {
    expect(Object.keys(defaults.light)).toContain(name);
  }
  expect(property(defaults.light, "evergreen")).toBe(defaultColors.main);
  expect(property(defaults.light, "clay")).toBe(defaultColors.accent);
  for (const ground of ["paper", "surface"]) {
    expect(property(light, ground)).toBe(property(defaults.light, ground));
  }
});

test("each token that the dark scheme replaces has a dark color of the firm's, apart from errors", () => {
  const { light, dark } = derivePalette("#1f3a8a", "#9d174d");
  const names = Object.keys(defaults.dark).filter((name) => !name.startsWith("danger"));
  expect(Object.keys(light)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(dark)).toEqual(expect.arrayContaining(names));
});

test("tinted backgrounds have about the hue of the page, also with blue and red", () => {
  for (const main of ["#1f2f5c", "#6d1f33", "#0000ff", "#ff0000"]) {
    const { light } = derivePalette(main, null);
    for (const ground of ["sand", "sage"]) {
      const { chroma, hue } = toOklch(property(light, ground));
      // A gray has no hue to speak of.
      const isWarm = chroma < 0.006 || hue < 110 || hue > 350;
      expect(isWarm, `${ground} of ${main}: hue ${hue}, chroma ${chroma}`).toBe(true);
    }
  }
});

test("the background can be cool or white, also with the default colors", () => {
  const hueOf = (background: "cool" | "white") =>
    toOklch(property(derivePalette(null, null, background).light, "paper"));
  expect(hueOf("white")).toMatchObject({ lightness: expect.closeTo(1, 3) });
  expect(hueOf("cool").hue).toBeGreaterThan(200);
  expect(property(derivePalette(null, null, "cool").light, "evergreen")).toBe(defaultColors.main);
});

test("a color survives the conversion to OKLCH and back", () => {
  for (const color of colors) expect(toHex(toOklch(color))).toBe(color);
});

function readColors(text: string): Record<string, string> {
  const found = text.matchAll(/--color-([\w-]+): (#[0-9a-f]{6});/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]));
}

function property(colors: Record<string, string>, name: string): string {
  return colors[name] ?? "";
}
