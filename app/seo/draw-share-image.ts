// Draws the image for shared links (Open Graph). Text is converted to outlines, because a server has no fonts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype, { type Font, type PathCommand } from "opentype.js";
import type { Site } from "../config/public-site.ts";
import { type ShareText, shareSize } from "./page-meta.ts";

/** A typeface of several files, each with some of the characters. */
export interface Typeface {
  /** Width in pixels, without unsupported characters. */
  measure(text: string, size: number): number;
  /** SVG path data with the start of the baseline at (x, y), without unsupported characters. */
  outline(text: string, x: number, y: number, size: number): string;
  /** The text in one line, without unsupported characters. */
  supportedText(text: string): string;
}

const resolve = createRequire(import.meta.url).resolve;

/** @param files package paths of WOFF files, the most common characters first */
export function loadTypeface(files: readonly string[]): Typeface {
  const fonts = files.map((file) => {
    const { buffer, byteOffset, byteLength } = readFileSync(resolve(file));
    return opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength));
  });
  const fontOf = (character: string) => fonts.find((font) => font.charToGlyphIndex(character) > 0);

  function runsOf(text: string): { font: Font; text: string }[] {
    const runs: { font: Font; text: string }[] = [];
    for (const character of text) {
      const font = fontOf(character);
      if (!font) continue;
      const last = runs.at(-1);
      if (last?.font === font) last.text += character;
      else runs.push({ font, text: character });
    }
    return runs;
  }

  const measure = (text: string, size: number) =>
    runsOf(text).reduce((width, run) => width + run.font.getAdvanceWidth(run.text, size), 0);

  return {
    measure,
    outline(text, x, y, size) {
      let start = x;
      const paths = runsOf(text).map((run) => {
        const path = run.font.getPath(run.text, start, y, size).commands.map(pathData).join("");
        start += run.font.getAdvanceWidth(run.text, size);
        return path;
      });
      return paths.join("");
    },
    supportedText: (text) =>
      [...text.normalize("NFC").replace(/\s/g, " ")]
        .filter(fontOf)
        .join("")
        .replace(/ +/g, " ")
        .trim(),
  };
}

// The library's own `toPathData` writes NaN for numbers such as 240.00000000000003, and it never frees its
// cache of rounded fractions.
function pathData(command: PathCommand): string {
  switch (command.type) {
    case "M":
    case "L":
      return `${command.type}${point(command.x, command.y)}`;
    case "Q":
      return `Q${point(command.x1, command.y1)} ${point(command.x, command.y)}`;
    case "C":
      return `C${point(command.x1, command.y1)} ${point(command.x2, command.y2)} ${point(command.x, command.y)}`;
    case "Z":
      return "Z";
  }
}

function point(x: number, y: number): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

interface Frame {
  /** In pixels. */
  width: number;
  /** Font sizes to try, the largest first, with the lines that fit. */
  steps: readonly { size: number; lines: number }[];
}

/** Breaks a text into lines at the largest size that fits. Truncates it with "…" at the smallest size. */
export function fitLines(
  typeface: Typeface,
  text: string,
  { width, steps }: Frame,
): { size: number; lines: string[] } {
  for (const { size, lines: allowed } of steps) {
    const lines = breakLines(typeface, text, size, width);
    if (lines.length <= allowed) return { size, lines };
  }
  const { size, lines: allowed } = steps.at(-1) ?? { size: 16, lines: 1 };
  const lines = breakLines(typeface, text, size, width).slice(0, allowed);
  const last = [...(lines.pop() ?? "")];
  while (last.length > 0 && typeface.measure(`${last.join("").trim()}…`, size) > width) last.pop();
  return { size, lines: [...lines, `${last.join("").replace(/[\s,.;:–-]+$/, "")}…`] };
}

/** Splits words that are wider than a line. */
function breakLines(typeface: Typeface, text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (typeface.measure(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = "";
    for (const character of word) {
      if (typeface.measure(line + character, size) > width) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  if (line) lines.push(line);
  return lines;
}

const files = (family: string, weight: number) =>
  ["latin", "latin-ext"].map(
    (subset) => `@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`,
  );
const serif = loadTypeface(files("newsreader", 500));
const sans = loadTypeface(files("figtree", 600));

const color = {
  deep: "#12332c",
  hill: "#17413a",
  nearHill: "#1e4a40",
  mist: "#b9cdbf",
  paper: "#fbf8f3",
  lamp: "#f2cf8f",
  lane: "#e7dcc6",
  roof: "#a1461f",
} as const;

const left = 76;
/** More characters never fit, and measuring them takes time. */
const maxLength = 160;

/** @returns an SVG without text elements */
export function drawShareSvg(
  firm: Pick<Site["firm"], "name" | "tagline">,
  text: ShareText,
): string {
  const kind = sans.supportedText(text.label).slice(0, maxLength) || firm.name;
  const label = fitLines(sans, kind, {
    width: 860,
    steps: [{ size: 31, lines: 1 }],
  });
  // The site's tagline replaces a title in an unsupported script.
  const words = serif.supportedText(text.headline).slice(0, maxLength);
  const headline = fitLines(serif, /[\p{L}\p{N}]/u.test(words) ? words : firm.tagline, {
    width: 920,
    steps: [
      { size: 92, lines: 2 },
      { size: 80, lines: 3 },
      { size: 66, lines: 4 },
    ],
  });
  const lineHeight = Math.round(headline.size * 1.1);
  const firstLine = 128 + Math.round(headline.size * 0.98);
  const { width, height } = shareSize;

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${color.deep}"/>
${scene}
${path(sans.outline(label.lines.join(), left, 108, label.size), color.lamp)}
${headline.lines
  .map((line, index) =>
    path(serif.outline(line, left - 3, firstLine + index * lineHeight, headline.size), color.paper),
  )
  .join("\n")}
${mark(left, 524)}
${path(serif.outline(firm.name, left + 70, 562, 38), color.paper)}
</svg>`;
}

function path(data: string, fill: string): string {
  return `<path fill="${fill}" d="${data}"/>`;
}

/** A lane up to a lit house. */
const scene = [
  path("M0 560C180 500 360 520 560 540S980 420 1200 400V630H0Z", color.hill),
  path("M420 630C620 560 860 500 1200 520V630Z", color.nearHill),
  path(
    "M1012 630C1040 596 1106 580 1092 552S1052 520 1062 492L1078 492C1076 518 1126 530 1136 558S1104 602 1112 630Z",
    color.lane,
  ),
  path("M1022 438L1070 396L1118 438V494H1022Z", color.paper),
  path("M1012 442L1070 390L1128 442L1119 450L1070 406L1021 450Z", color.roof),
  path("M1062 494V468a8 8 0 0 1 16 0V494Z", color.lamp),
  path("M1038 452h14v16h-14ZM1088 452h14v16h-14Z", color.lamp),
].join("\n");

/** The logo, as in the header. */
function mark(x: number, y: number): string {
  return `<g transform="translate(${x} ${y}) scale(1.3)">
<rect width="40" height="40" rx="10" fill="${color.paper}"/>
<path d="M10 20 20 10l10 10v10H10Z" fill="${color.nearHill}"/>
<path d="M18 22h4v8h-4z" fill="${color.roof}"/>
<path d="M18 30h4l6 10H12z" fill="${color.nearHill}"/>
</g>`;
}
