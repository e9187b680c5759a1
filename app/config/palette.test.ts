import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contrast, toHex, toOklch } from "./color.ts";
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
    const palette = derivePalette(main, accent);
    const light = { ...defaults.light, ...palette.light };
    yield {
      main,
      accent,
      schemes: { light, dark: { ...light, ...defaults.dark, ...palette.dark } },
    };
  }
}

test("in the chart of the calculator, what is paid in and what growth added are told apart", () => {
  for (const { main, accent, schemes } of allSchemes()) {
    for (const [scheme, colors] of Object.entries(schemes)) {
      // As `fill-clay/18` on the ground of a result.
      const growth = mix(property(colors, "clay"), property(colors, "sage"), 0.18);
      const what = `${main} and ${accent}, ${scheme}`;
      expect(contrast(property(colors, "evergreen"), growth), what).toBeGreaterThan(3);
    }
  }
});

function mix(color: string, ground: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [top = 0, below = 0] = [color, ground].map((hex) =>
      Number.parseInt(hex.slice(at, at + 2), 16),
    );
    const mixed = Math.round(top * share + below * (1 - share));
    return mixed.toString(16).padStart(2, "0");
  });
  return `#${channels.join("")}`;
}

test("text and controls have enough contrast with any two colors, in both schemes", () => {
  const failures = [...allSchemes()].flatMap(({ main, accent, schemes }) => {
    return Object.entries(schemes).flatMap(([scheme, colors]) =>
      pairs
        .map(([text, ground, least]) => ({
          what: `${main} and ${accent}, ${scheme}: ${text} on ${ground}`,
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
  for (const ground of ["paper", "surface", "sand"]) {
    expect(property(light, ground)).toBe(property(defaults.light, ground));
  }
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
