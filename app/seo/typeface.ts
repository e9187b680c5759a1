// Measures text, breaks it into lines and converts it to outlines, because a server has no fonts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype, { type Font, type PathCommand } from "opentype.js";

/** A typeface of several files, each with some of the characters. */
interface Typeface {
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
  /** The maximum width in pixels. */
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
export const serif = loadTypeface(files("newsreader", 500));
export const sans = loadTypeface(files("figtree", 600));
