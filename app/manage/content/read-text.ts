// Joins the texts of foreign HTML as browsers show them, on one line or several.
import { emphases, type Mark } from "../../posts/formatted-text.tsx";
import type { ReadText } from "../foreign-html/read-table.ts";
import type { Look } from "../foreign-html/shown-html.ts";
import { normalizeMarks, trimmed } from "./marked-text.ts";

export const nothing: ReadText = { text: "", marks: [] };

/** A part of a text, or what is between two parts. */
export type Leaf =
  | { kind: "text"; text: string; look: Look }
  | { kind: "line break" }
  | { kind: "edge of a block" }
  | { kind: "next cell" }
  /** What starts the text of an item. */
  | { kind: "sign"; sign: string };

/** White space is collapsed as browsers do. A blank line stays where a line break made it. */
export function joinLeaves(leaves: readonly Leaf[]): ReadText {
  const marks: Mark[] = [];
  let text = "";
  let before = "";
  const endLine = () => {
    text = `${text.replace(/[^\S\n]+$/, "")}\n`;
  };
  const isAtLineStart = () => text === "" || text.endsWith("\n");
  for (const leaf of leaves) {
    if (leaf.kind === "sign") before = leaf.sign;
    else if (leaf.kind === "next cell") before = isAtLineStart() ? before : " – ";
    else if (leaf.kind === "line break") endLine();
    else if (leaf.kind === "edge of a block") isAtLineStart() || endLine();
    else {
      for (const [index, line] of linesOf(leaf).entries()) {
        if (index > 0) endLine();
        const isBlank = line.trim() === "";
        if (!isBlank && before) {
          text = (before === " – " ? text.trimEnd() : text) + before;
          before = "";
        }
        const start = text.length;
        text += text === "" || /\s$/.test(text) ? line.trimStart() : line;
        marks.push(...marksOf(leaf.look, start, text.length));
      }
    }
  }
  return slice({ text, marks }, 0, text.length);
}

function linesOf({ text, look }: Extract<Leaf, { kind: "text" }>): string[] {
  return (look.keepsLines ? text.split(/\r\n?|\n/) : [text]).map((line) =>
    // Nobody sees these characters, which fill the previews of mails and hide words from a search.
    line.replace(/[\u034f\u00ad\u200b\u2060\ufeff]/g, "").replace(/\s+/g, " "),
  );
}

function marksOf(look: Look, start: number, end: number): Mark[] {
  const { href } = look;
  return [
    ...emphases.filter((type) => look[type]).map((type) => ({ type, start, end })),
    ...(href ? [{ type: "link" as const, start, end, href }] : []),
  ];
}

/** A part of a text, without white space around it. */
export function slice({ text, marks }: ReadText, start: number, end: number): ReadText {
  const part = text.slice(start, end);
  const from = start + part.length - part.trimStart().length;
  const kept = part.trim();
  const moved = marks.map((mark) => ({
    ...mark,
    start: Math.max(0, mark.start - from),
    end: Math.min(kept.length, mark.end - from),
  }));
  const normalized = normalizeMarks(
    kept,
    moved.filter(({ start, end }) => start < end),
  );
  return {
    text: kept,
    marks: normalized
      .map((mark) => ({ ...mark, ...trimmed(kept, mark) }))
      .filter(({ start, end }) => start < end),
  };
}

/** The parts of a text between blank lines. */
export function splitAtBlankLines(whole: ReadText): ReadText[] {
  const parts: ReadText[] = [];
  let start = 0;
  for (const { 0: gap, index } of whole.text.matchAll(/\n{2,}|$/g)) {
    parts.push(slice(whole, start, index));
    start = index + gap.length;
  }
  return parts;
}

/** One text after another, with what is between them. */
export function append(first: ReadText, between: string, { text, marks }: ReadText): ReadText {
  const at = first.text.length + between.length;
  return {
    text: first.text + between + text,
    marks: [
      ...first.marks,
      ...marks.map((mark) => ({ ...mark, start: mark.start + at, end: mark.end + at })),
    ],
  };
}

export function withoutBlankLines(text: ReadText): ReadText {
  return splitAtBlankLines(text).reduce((joined, part) => append(joined, "\n", part));
}

const superscripts = { from: "0123456789+-−=(),", to: "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾," };
const subscripts = { from: "0123456789+-−=(),", to: "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎," };

/** How a raised or lowered text is written on the line, so that 10 to the power of 2 does not become 102. */
export function shiftedText(text: string, by: "super" | "sub", before: string): string {
  const trademark = { TM: "™", SM: "℠" }[text.trim()];
  if (by === "super" && trademark) return trademark;
  const { from, to } = by === "super" ? superscripts : subscripts;
  const letters = [...text];
  const isOrdinal = /\d$/.test(before) && /^(?:st|nd|rd|th)$/i.test(text.trim());
  const isNote = /[\s[\]]|https?:/.test(text.trim()) || !/[\p{L}\p{N}]/u.test(text);
  if (isOrdinal || isNote) return text;
  if (letters.every((letter) => from.includes(letter))) {
    return letters.map((letter) => to[from.indexOf(letter)]).join("");
  }
  if (!/[\p{L}\p{N})\]]$/u.test(before)) return text;
  return `${by === "super" ? "^" : "_"}${letters.length > 1 ? `(${text})` : text}`;
}
