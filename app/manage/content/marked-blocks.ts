// The content as text, in which the start of a line marks its block (docs/decisions/2026-11-22-post-text.md).
import { recordOf } from "../../../supabase/functions/_shared/object-keys.ts";
import {
  type Block,
  fitsTable,
  maxTableCells,
  maxTableColumns,
  parseBlocks,
  textsOf,
} from "../../posts/blocks.tsx";
import type { MarkedText } from "../../posts/formatted-text.tsx";
import { imageRefused } from "../images/image-reference.ts";
import {
  isListType,
  isWholeLine,
  type MarkedTypeName,
  markedTypeNames,
  markedTypes,
  onOneLine,
  type TableBlock,
  type WholeLineBlock,
  wholeLineType,
  wholeLineTypeNames,
  wholeLineTypes,
} from "./block-types.ts";
import { parseMarkedText, printMarkedText } from "./marked-text.ts";
import { isTableRow, printTable, readTable } from "./table-text.ts";

/** The mark at the start of a line, with the space behind it. */
const signs = recordOf(
  markedTypeNames,
  (name) => new RegExp(`^${markedTypes[name].mark.source}(?:[ \\t]+|$)`),
);

/** Why an image of the text cannot be shown; null when all can. */
export function imageProblem(text: string): string | null {
  const isRefused = (line: string) => wholeLineTypes.image.line.test(line) && !readWholeLine(line);
  return text.split(/\r\n?|\n/).some((line) => isRefused(line.trimStart())) ? imageRefused : null;
}

/** The blocks of a text. Unmarked text becomes paragraphs, separated by blank lines. */
export function textToBlocks(text: string): Block[] {
  const lines = storable(text).split(/\r\n?|\n/);
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, end } = readBlock(lines, at);
    if (block) blocks.push(block);
    at = end;
  }
  return blocks;
}

/** Removes NUL and lone surrogates, which PostgreSQL rejects. */
function storable(text: string): string {
  return text.replace(/\0/g, "").toWellFormed();
}

/** Reads the block that starts at a line. `end` is the line after it. */
function readBlock(lines: readonly string[], start: number): { block?: Block; end: number } {
  const line = lineAt(lines, start);
  if (line === "") return { end: start + 1 };
  const whole = readWholeLine(line);
  if (whole) return { block: whole, end: start + 1 };
  const type = markedTypeOf(line);
  if (type) return readMarked(lines, start, type);
  if (isTableRow(line)) return readTableAt(lines, start);
  let end = start + 1;
  while (lineAt(lines, end) !== "" && !startsBlock(lineAt(lines, end))) end++;
  const text = lines.slice(start, end).join("\n").trim();
  return { block: textBlock("paragraph", [readText(text)]), end };
}

/** A line of a backslash alone is a blank line of its block. */
function readText(text: string): MarkedText {
  return parseMarkedText(text.replace(/\n\\(?=\n)/g, "\n"));
}

/** A line without its indentation; empty for a blank one and after the last. */
function lineAt(lines: readonly string[], index: number): string {
  const line = (lines[index] ?? "").replace(/^[ \t]+/, "");
  return line.trim() && line;
}

function startsBlock(line: string): boolean {
  return readWholeLine(line) !== null || markedTypeOf(line) !== undefined || isTableRow(line);
}

function readTableAt(lines: readonly string[], start: number) {
  let end = start;
  while (isTableRow(lineAt(lines, end))) end++;
  const { rows, header } = readTable(lines.slice(start, end));
  // One that is too large stays text.
  const block = fits(rows)
    ? (tableBlock(rows, header) ?? undefined)
    : textBlock("paragraph", [parseMarkedText(lines.slice(start, end).join("\n").trim())]);
  return { block, end };
}

function fits(rows: readonly (readonly unknown[])[]): boolean {
  return rows.every(({ length }) => fitsTable(rows.length, length));
}

export const tableTooLarge = `A table can have ${maxTableColumns} columns and ${maxTableCells.toLocaleString("en-US")} cells.`;

/** Why lines of a text did not become a table; null where all did. */
export function tableProblem(content: unknown): string | null {
  const isTooLarge = parseBlocks(content).some(
    (block) =>
      block.type === "paragraph" &&
      isTableRow(block.text) &&
      !fits(readTable(block.text.split("\n")).rows),
  );
  return isTooLarge ? tableTooLarge : null;
}

/** @returns null for a table without words, or with too many cells */
export function tableBlock(
  rows: readonly (readonly MarkedText[])[],
  header: boolean,
): TableBlock | null {
  const stored = {
    type: "table",
    rows: rows.map((row) => row.map(({ text }) => text)),
    rowMarks: rows.map((row) => row.map(({ marks = [] }) => marks)),
    header,
  };
  const [block] = parseBlocks([stored]);
  return block?.type === "table" && block.rows.flat().some((cell) => cell.trim()) ? block : null;
}

function markedTypeOf(line: string): MarkedTypeName | undefined {
  return markedTypeNames.find((type) => restOf(type, line, 0) !== null);
}

/**
 * What follows the mark of a line; null for a line without that mark. A numbered list starts at 1 and any other number
 * of up to two digits continues it, so that items can be deleted, and that a year such as '1986.' starts no item.
 * @param count how many lines or items of the block are before it
 */
function restOf(type: MarkedTypeName, line: string, count: number): string | null {
  const { shape } = markedTypes[type];
  const [mark, number = "1"] = signs[type].exec(line) ?? [];
  const isNumber = number === "1" || number === String(count + 1);
  if (mark === undefined || !(isNumber || (count > 0 && number.length <= 2))) return null;
  const rest = line.slice(mark.length).trim();
  // A quote may have blank lines, but starts with text.
  return rest || (shape === "lines" && count > 0) ? rest : null;
}

/** Reads lines up to a blank one or another mark. A line without a mark continues the part before it. */
function readMarked(lines: readonly string[], start: number, type: MarkedTypeName) {
  const { shape } = markedTypes[type];
  const parts = [restOf(type, lineAt(lines, start), 0) ?? ""];
  if (shape === "line") return { block: textBlock(type, [{ text: parts.join() }]), end: start + 1 };
  let end = start + 1;
  for (; end < lines.length; end++) {
    const line = lineAt(lines, end);
    const rest = restOf(type, line, parts.length);
    if (rest !== null) {
      parts.push(rest);
    } else if (line === "") {
      // A single blank line may separate items.
      const next = restOf(type, lineAt(lines, end + 1), parts.length);
      if (shape !== "items" || next === null) break;
    } else {
      if (startsBlock(line)) break;
      parts.push(`${parts.pop()}\n${line.trim()}`);
    }
  }
  const texts = shape === "items" ? parts : [parts.join("\n").trim()];
  return { block: textBlock(type, texts.map(readText)), end };
}

/** @param texts one text, or the items of a list */
export function textBlock(
  type: Exclude<Block["type"], "table">,
  texts: readonly MarkedText[],
): Block {
  const marks = texts.map((text) => text.marks ?? []);
  const isMarked = marks.some(({ length }) => length > 0);
  // The content has the shape that its type requires.
  return (
    isWholeLine({ type })
      ? { type }
      : isListType(type)
        ? { type, items: texts.map(({ text }) => text), ...(isMarked && { itemMarks: marks }) }
        : { type, text: texts[0]?.text ?? "", ...(isMarked && { marks: marks[0] }) }
  ) as Block;
}

function readWholeLine(line: string): WholeLineBlock | null {
  for (const type of wholeLineTypeNames) {
    const match = wholeLineTypes[type].line.exec(line);
    if (match) return wholeLineTypes[type].read(match);
  }
  return null;
}

/** The text of blocks for the content field, with their marks. The inverse of `textToBlocks`. */
export function blocksToText(blocks: readonly Block[]): string {
  let text = "";
  let list: RegExp | null = null;
  for (const block of blocks) {
    const chunk = printBlock(block);
    if (!chunk.trim()) continue;
    // Items that are separated by one blank line belong to one list.
    if (text) text += list?.test(chunk.trimStart()) ? "\n\n\n" : "\n\n";
    text += chunk;
    list = "items" in block ? signs[block.type] : null;
  }
  return text;
}

function printBlock(block: Block): string {
  if (isWholeLine(block)) return wholeLineType(block).write(block);
  if (block.type === "table") return printTable(block);
  const texts = textsOf(block)
    .map((text) => printMarkedText(text).trim())
    .filter(Boolean);
  if (block.type === "paragraph") {
    return texts.flatMap((text) => text.split("\n").map((line) => escapeLine(line))).join("\n");
  }
  const { shape, write } = markedTypes[block.type];
  if (shape === "line") {
    const text = onOneLine(
      textsOf(block)
        .map(({ text }) => text)
        .join(" "),
    );
    return text && write(0) + text;
  }
  if (shape === "lines") {
    const lines = texts.flatMap((text) => text.split("\n"));
    return lines.map((line, index) => (write(index) + line).trimEnd()).join("\n");
  }
  return texts
    .map((text, index) => {
      const [first, ...others] = text.split("\n");
      const continued = others.map(
        (line) => `\n  ${escapeLine(line.trim(), block.type, index + 1)}`,
      );
      return write(index) + first + continued.join("");
    })
    .join("\n");
}

export function readableText(content: unknown): string {
  return parseBlocks(content)
    .map((block) => {
      if (isWholeLine(block)) return wholeLineType(block).describe(block);
      if (block.type === "table") {
        return block.rows.map((row) => row.map(onOneLine).join(" | ")).join("\n");
      }
      const sign = "items" in block ? "• " : "";
      return textsOf(block)
        .map(({ text }) => sign + text)
        .join("\n");
    })
    .join("\n\n");
}

/** Escapes text that would start a block or another item of the current list, and a blank line, which would end the block. */
function escapeLine(line: string, list?: MarkedTypeName, count = 0): string {
  if (!line.trim()) return "\\";
  const text = line.replace(/^[ \t]+/, "");
  const isWhole = wholeLineTypeNames.some((type) => wholeLineTypes[type].line.test(text));
  const isMark = startsBlock(text) || isWhole || (list && restOf(list, text, count) !== null);
  // Escapes the first punctuation, because a backslash before a digit is text.
  return isMark ? line.replace(/[!-/:-@[-`{-~]/, "\\$&") : line;
}
