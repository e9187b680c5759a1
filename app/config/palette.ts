// The colors of the site that follow from the owner's two, for both color schemes.

import { channels, contrast } from "./color.ts";

/** Colors by the name of their token in tokens.css. */
export type SchemeColors = Record<string, string>;

export interface Palette {
  light: SchemeColors;
  dark: SchemeColors;
  /** Whether a color was changed so that text stays readable. */
  adjusted: { main: boolean; accent: boolean };
}

const light = {
  evergreen: "#1e4a40",
  pine: "#12332c",
  deep: "#12332c",
  clay: "#96401b",
};
const dark = {
  evergreen: "#9fd0b9",
  pine: "#c0e3d2",
  deep: "#143029",
  clay: "#eda57f",
};
const paper = { light: "#fbf8f3", dark: "#101614" };
/** Minimum contrast of text (WCAG 1.4.3). */
const readable = 4.5;

/** @returns no colors when both are null, which stands for the default */
export function derivePalette(main: string | null, accent: string | null): Palette {
  if (!main && !accent) return { light: {}, dark: {}, adjusted: { main: false, accent: false } };
  const [mainLight, mainDark] = main ? bothSchemes(main) : [light.evergreen, dark.evergreen];
  const [accentLight, accentDark] = accent ? bothSchemes(accent) : [light.clay, dark.clay];
  return {
    light: {
      evergreen: mainLight,
      pine: main ? mix(mainLight, "#000000", 0.3) : light.pine,
      deep: main ? mix(mainLight, "#000000", 0.3) : light.deep,
      clay: accentLight,
    },
    dark: {
      evergreen: mainDark,
      pine: main ? mix(mainDark, "#ffffff", 0.3) : dark.pine,
      deep: main ? mix(mainLight, "#000000", 0.4) : dark.deep,
      clay: accentDark,
    },
    adjusted: {
      main: main !== null && mainLight !== main,
      accent: accent !== null && accentLight !== accent,
    },
  };
}

function bothSchemes(color: string): [light: string, dark: string] {
  return [
    towards(color, "#000000", (candidate) => contrast(candidate, paper.light) >= readable),
    towards(color, "#ffffff", (candidate) => contrast(candidate, paper.dark) >= readable),
  ];
}

function towards(color: string, end: string, isGood: (color: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = share === 0 ? color : mix(color, end, share);
    if (isGood(candidate)) return candidate;
  }
  return end;
}

function mix(color: string, other: string, share: number): string {
  const [a, b] = [channels(color), channels(other)];
  return `#${a
    .map((channel, index) => Math.round(channel * (1 - share) + (b[index] ?? 0) * share))
    .map((channel) => channel.toString(16).padStart(2, "0"))
    .join("")}`;
}
