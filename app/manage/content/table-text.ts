// A table as text: each row is a line such as '| Plan | Price |', and a line '| --- | --- |' is below a header.
import { cellsOf } from "../../posts/blocks.tsx";
import type { MarkedText } from "../../posts/formatted-text.tsx";
import type { TableBlock } from "./block-types.ts";
import { parseMarkedText, printMarkedText } from "./marked-text.ts";

const cellPattern = /(?:\\.|[^\\|])*\|/gsuy;
const lineBreak = /<br ?\/?>/gi;
const headerCell = /^(?=.{3}):?-+:?$/;

export function isTableRow(line: string): boolean {
  return line.startsWith("|") && sourcesIn(line) !== null;
}

/** The sources of the cells in a line that is a row, else null. */
function sourcesIn(line: string): string[] | null {
  const row = line.trim().slice(1);
  const cells = row.match(cellPattern) ?? [];
  if (cells.length === 0 || cells.join("").length < row.length) return null;
  return cells.map((cell) => cell.slice(0, -1).trim());
}

/** @param lines rows of a table */
export function readTable(lines: readonly string[]): { rows: MarkedText[][]; header: boolean } {
  const [first = [], second = [], ...others] = lines.map((line) => sourcesIn(line) ?? []);
  const header = second.length > 0 && second.every((cell) => headerCell.test(cell));
  const rows = header ? [first, ...others] : [first, second, ...others].slice(0, lines.length);
  return { rows: rows.map((row) => row.map(readCell)), header };
}

function readCell(source: string): MarkedText {
  const text = source.replace(/\\[\s\S]|<br ?\/?>/gi, (found) =>
    found.startsWith("<") ? "\n" : found,
  );
  return parseMarkedText(text);
}

export function printTable(table: TableBlock): string {
  const [first = [], ...others] = cellsOf(table).map((row) => row.map(printCell));
  if (!table.rows.flat().some((cell) => cell.trim())) return "";
  const isRule = !table.header && others[0]?.every((cell) => headerCell.test(cell));
  if (isRule) others[0] = others[0]?.map((cell) => `\\${cell}`) ?? [];
  const rule = table.header ? [first.map(() => "---")] : [];
  return [first, ...rule, ...others].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function printCell(cell: MarkedText): string {
  return printMarkedText(cell)
    .replace(/\|/g, "\\|")
    .replace(lineBreak, "\\$&")
    .replace(/\r\n?|\n/g, "<br>")
    .trim();
}
