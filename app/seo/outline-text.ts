// Text as outlines: a server has no fonts of its own, so what is drawn brings its letters along.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype, { type Font, type PathCommand } from "opentype.js";

/** A typeface in its parts: each file covers some of the characters. */
export interface Typeface {
  /** Width in pixels. Characters that the typeface lacks take no room. */
  measure(text: string, size: number): number;
  /** SVG path data, the baseline's start at (x, y). Characters that the typeface lacks are left out. */
  outline(text: string, x: number, y: number, size: number): string;
  /** The text without the characters that the typeface lacks, in one line. */
  readable(text: string): string;
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
    readable: (text) =>
      [...text.normalize("NFC").replace(/\s/g, " ")]
        .filter(fontOf)
        .join("")
        .replace(/ +/g, " ")
        .trim(),
  };
}

// Not the library's own `toPathData`: it writes NaN for a number such as 240.00000000000003, and it
// keeps every fraction that it ever rounded.
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

interface Room {
  /** In pixels. */
  width: number;
  /** Sizes to try with how many lines fit, from the largest. */
  steps: readonly { size: number; lines: number }[];
}

/** Sets a text as large as its room allows. What is too long even for the smallest size ends with "…". */
export function fitLines(
  typeface: Typeface,
  text: string,
  { width, steps }: Room,
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

/** Fills line after line. A word that is wider than a line is cut. */
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
