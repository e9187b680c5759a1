// The colors of the site from the firm's two. tokens.css has the default ones and says what each is for. Runs on the
// server and on the owner's pages; visitors receive the result.
import { contrast, mix, type Oklch, toHex, toOklch } from "./color.ts";

/** Colors by the name of their token in tokens.css without `--color-`. */
export type SchemeColors = Record<string, string>;

export interface Palette {
  light: SchemeColors;
  /** Without those that are the same in both schemes. */
  dark: SchemeColors;
  /** Whether a given color has too little contrast and is shown darker in the light scheme. */
  adjusted: { main: boolean; accent: boolean };
}

/** The default colors, from which the others are derived. */
export const defaultColors = { main: "#1e4a40", accent: "#96401b" } as const;

/** The backgrounds of the light scheme, with their lines, before the main color is mixed in. */
const backgrounds = {
  warm: { paper: "#fbf8f3", surface: "#fffdfa", sand: "#f3ecdf", line: "#ddd4c4", edge: "#857c6c" },
  cool: { paper: "#f7f9fb", surface: "#fdfeff", sand: "#ebf0f4", line: "#d3dbe2", edge: "#727f8a" },
  white: {
    ...{ paper: "#ffffff", surface: "#ffffff", sand: "#f4f4f4", line: "#dddddd", edge: "#7d7d7d" },
  },
} as const;
type Background = keyof typeof backgrounds;

/** The contrast that WCAG 2 requires of text, of long text, and of the outlines of controls. */
const [text, longText, control] = [4.5, 7, 3];

/**
 * @param mainColor of links, buttons and dark panels, such as "#1e4a40"; null for the default
 * @param accentColor of markers and focus rings; null for the default
 * @returns no colors when all of them are the default
 */
export function derivePalette(
  mainColor: string | null,
  accentColor: string | null,
  background: Background = "warm",
): Palette {
  if (!mainColor && !accentColor && background === "warm") {
    return { light: {}, dark: {}, adjusted: { main: false, accent: false } };
  }
  const givenMain = mainColor ?? defaultColors.main;
  const givenAccent = accentColor ?? defaultColors.accent;
  const [main, accent] = [toOklch(givenMain), toOklch(givenAccent)];
  const light = lightScheme(givenMain, givenAccent, background);
  return {
    light,
    dark: darkScheme(main, accent),
    adjusted: {
      main: mainColor !== null && light.evergreen !== mainColor,
      accent: accentColor !== null && light.clay !== accentColor,
    },
  };
}

function lightScheme(givenMain: string, givenAccent: string, background: Background) {
  const [main, accent] = [toOklch(givenMain), toOklch(givenAccent)];
  const given = backgrounds[background];
  const { paper, surface } = given;
  const sand = wash(given.sand, givenMain, 0.03);
  // Like a thin coat of the color on the paper: a pure tint of blue or red would look foreign on a warm page.
  const sage = wash(paper, givenMain, 0.09, 0.939);
  const grounds = [paper, surface, sand, sage];
  const evergreen = darken(givenMain, text, grounds);
  const mist = toHex(tint(main, 0.83, 0.03));
  const lamp = toHex(tint(accent, 0.87, 0.09));
  const { lightness } = toOklch(evergreen);
  return {
    ...{ paper, surface, sand, sage },
    line: wash(given.line, givenMain, 0.05),
    edge: darken(wash(given.edge, givenMain, 0.08), control, grounds),
    ink: toHex(tint(main, 0.25, 0.015)),
    muted: darken(toHex(tint(main, 0.41, 0.015)), longText, grounds),
    evergreen,
    // A hover effect must be visible on black, too.
    pine: toHex({ ...main, lightness: lightness > 0.2 ? lightness * 0.78 : lightness + 0.12 }),
    deep: darken(main.lightness > 0.3 ? toHex(tint(main, 0.3, 0.08)) : givenMain, longText, [
      paper,
      mist,
      lamp,
    ]),
    clay: darken(givenAccent, text, grounds),
    "clay-soft": wash(paper, givenAccent, 0.14, 0.936),
    cream: paper,
    mist,
    lamp,
  };
}

/** A background with a share of a color mixed in, as light as before or of the given lightness. */
function wash(ground: string, color: string, share: number, lightness?: number): string {
  const given = toOklch(color);
  // Of a vivid color no more than of a calm one.
  const mixed = toOklch(mix(ground, toHex(tint(given, given.lightness, 0.1)), share));
  return toHex({ ...mixed, lightness: lightness ?? toOklch(ground).lightness });
}

function darkScheme(main: Oklch, accent: Oklch) {
  const grounds = {
    paper: toHex(tint(main, 0.193, 0.01)),
    surface: toHex(tint(main, 0.239, 0.013)),
    sand: toHex(tint(main, 0.222, 0.013)),
    sage: toHex(tint(main, 0.294, 0.022)),
  };
  const behind = Object.values(grounds);
  return {
    ...grounds,
    line: toHex(tint(main, 0.344, 0.018)),
    edge: lighten(toHex(tint(main, 0.617, 0.018)), control, behind),
    ink: toHex(tint(main, 0.94, 0.01)),
    muted: lighten(toHex(tint(main, 0.812, 0.013)), longText, behind),
    evergreen: lighten(toHex(tint(main, 0.81, 0.06)), text, behind),
    pine: lighten(toHex(tint(main, 0.88, 0.05)), text, behind),
    deep: toHex(tint(main, 0.285, 0.06)),
    clay: lighten(toHex(tint(accent, 0.78, 0.12)), text, behind),
    "clay-soft": toHex(tint(accent, 0.28, 0.036)),
  };
}

/** The same hue with another lightness and at most this chroma. */
function tint({ chroma, hue }: Oklch, lightness: number, most: number): Oklch {
  return { lightness, chroma: Math.min(chroma, most), hue };
}

function darken(color: string, least: number, others: readonly string[]): string {
  return move(color, -0.01, least, others);
}

function lighten(color: string, least: number, others: readonly string[]): string {
  return move(color, 0.01, least, others);
}

/** Changes the lightness until the contrast with each other color suffices. */
function move(color: string, step: number, least: number, others: readonly string[]): string {
  const start = toOklch(color);
  let [moved, { lightness }] = [color, start];
  while (others.some((other) => contrast(moved, other) < least) && lightness > 0 && lightness < 1) {
    lightness += step;
    moved = toHex({ ...start, lightness });
  }
  return moved;
}
