// Reads tables in foreign HTML, and tells them from those that only arrange text.
import type { Mark } from "../../posts/formatted-text.tsx";
import { cells, headings, type LeftOut, type Look, rows } from "./shown-html.ts";

export const tables = "table, [role=table], [role=grid], [role=treegrid]";
const arranging = "[role=presentation], [role=none]";
const headerCells = "th:not([scope=row]), [role=columnheader]";
const blocks = `p, div, li, ${headings}`;

/** Bounds what cells over many columns and rows take. */
const maxSpan = 100;
const maxPlaces = 100_000;

export interface ReadText {
  text: string;
  marks: Mark[];
}

interface ReadTable {
  /** With the same number of cells. */
  rows: ReadText[][];
  hasHeader: boolean;
  /** The caption, and rows that are one cell above or below the others. */
  above: ReadText[];
  below: ReadText[];
  /** How many cells were over several columns or rows. */
  merged: number;
}

type LookOf = (element: Element) => Look;

/** @returns null for a table that only arranges text */
export function readTable(
  table: Element,
  look: LookOf,
  textOf: (element: Element) => ReadText,
): ReadTable | null {
  const hasHeaders = ownOf(table, headerCells).length > 0;
  const isNested = table.querySelector(tables) !== null;
  if (table.matches(arranging) || (isNested && !hasHeaders)) return null;
  const texts = new Map(ownOf(table, cells).map((cell) => [cell, textOf(cell)]));
  const grid = withoutEmpty(gridOf(table, look), (cell) => Boolean(texts.get(cell)?.text));
  const columns = grid[0]?.length ?? 0;
  const isOneColumn = columns < 2 && !(hasHeaders && grid.length > 1);
  if (isOneColumn || (!hasHeaders && isArranged(grid))) return null;

  const textAt = ({ cell, isStart }: Place) =>
    (isStart && cell && texts.get(cell)) || { text: "", marks: [] };
  const isWide = (row: Place[] | undefined) =>
    grid.length > 1 && columns > 1 && row?.every(({ cell }) => cell && cell === row[0]?.cell);
  const above = ownOf(table, "caption").map(textOf);
  const below: ReadText[] = [];
  while (isWide(grid[0])) above.push(...(grid.shift() ?? []).slice(0, 1).map(textAt));
  while (isWide(grid.at(-1))) below.unshift(...(grid.pop() ?? []).slice(0, 1).map(textAt));

  const read = grid.map((row) => row.map(textAt));
  const isHeader = (row: readonly Place[]) =>
    row.every(
      (place) =>
        !textAt(place).text || place.cell?.matches(headerCells) || place.cell?.closest("thead"),
    );
  const others = grid.findIndex((row) => !isHeader(row));
  const isFirstBold = isBold(read[0]) && grid.length > 1 && !read.slice(1).every(isBold);
  // Where every row is a header, none but the first is one.
  let headers = others === -1 ? 1 : others || (isFirstBold ? 1 : 0);
  // A cell of a bold header can reach down into its second row.
  const isReached = (row: readonly Place[] = []) =>
    row.some(({ cell, isStart }) => cell && !isStart);
  while (others === 0 && isFirstBold && isReached(grid[headers]) && isBold(read[headers])) {
    headers++;
  }
  const header = joinHeaders(grid.slice(0, headers), (cell) => texts.get(cell));
  const body = grid.slice(headers);
  const repeated = body.flat().filter(({ cell, isStart }) => cell && !isStart);
  return {
    rows: headers > 0 ? [header, ...read.slice(headers)] : read,
    hasHeader: headers > 0,
    above: above.filter(({ text }) => text),
    below,
    merged: new Set(repeated.map(({ cell }) => cell)).size,
  };
}

/** Whether a table that becomes paragraphs has words in several cells of a row. Those that only arrange a newsletter do not. */
export function losesRows(table: Element): boolean {
  if (table.matches(arranging) || !table.querySelector(tables)) return false;
  const hasWords = (cell: Element) => {
    const own = cell.cloneNode(true) as Element;
    for (const inner of own.querySelectorAll(tables)) inner.remove();
    return own.textContent?.trim();
  };
  return ownOf(table, rows).some(
    (row) => [...row.children].filter((cell) => cell.matches(cells) && hasWords(cell)).length > 1,
  );
}

/** One name for each column, such as 'Price – Women' where 'Price' is above 'Men' and 'Women'. */
function joinHeaders(
  grid: readonly Place[][],
  textOf: (cell: Element) => ReadText | undefined,
): ReadText[] {
  return (grid[0] ?? []).map((_, column) => {
    const names = new Set(grid.map((row) => row[column]?.cell));
    const texts = [...names].flatMap((cell) => (cell && textOf(cell)) || []);
    const named = texts.filter(({ text }) => text).map(withoutBold);
    return { text: named.map(({ text }) => text).join(" – "), marks: named[0]?.marks ?? [] };
  });
}

/** Empties the cells of hidden columns, and counts these columns. */
export function removeHiddenColumns(table: Element, look: LookOf, leftOut: LeftOut): void {
  const hidden = hiddenColumns(table, look);
  if (hidden.size === 0) return;
  const shown = new Set(gridOf(table, look).flatMap((row) => row.map(({ cell }) => cell)));
  const counted = new Set<number>();
  for (const row of gridOf(table)) {
    for (const [column, { cell }] of row.entries()) {
      if (!cell || shown.has(cell)) continue;
      if (cell.textContent?.trim()) counted.add(column);
      cell.replaceChildren();
    }
  }
  leftOut.add("column", counted.size);
}

function hiddenColumns(table: Element, look: LookOf): Set<number> {
  const hidden = new Set<number>();
  let at = 0;
  for (const column of ownOf(table, "col")) {
    const { leftOut, hiddenBy } = look(column);
    const isHidden = leftOut || hiddenBy || column.getAttribute("width") === "0";
    for (let end = at + spanOf(column, "span"); at < end; at++) if (isHidden) hidden.add(at);
  }
  return hidden;
}

interface Place {
  cell: Element | null;
  /** Whether it is the first place of its cell. */
  isStart: boolean;
}

/** The cells by row and column, each in all of its places. @param look leaves hidden columns out */
function gridOf(table: Element, look?: LookOf): Place[][] {
  const ownRows = ownOf(table, rows).toSorted((a, b) => partOf(a) - partOf(b));
  const grid: Element[][] = ownRows.map(() => []);
  let places = 0;
  for (const [top, row] of ownRows.entries()) {
    let left = 0;
    for (const cell of row.querySelectorAll(cells)) {
      if (cell.closest(rows) !== row) continue;
      while (grid[top]?.[left]) left++;
      const width = spanOf(cell, "colspan");
      const height = spanOf(cell, "rowspan");
      for (const line of grid.slice(top, places < maxPlaces ? top + height : top + 1)) {
        for (let column = left; column < left + width; column++) line[column] ??= cell;
      }
      places += width * height;
    }
  }
  const hidden = look ? hiddenColumns(table, look) : new Set<number>();
  const width = Math.max(0, ...grid.map((row) => row.length));
  const seen = new Set<Element>();
  return grid.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? null)
      .filter((_, column) => !hidden.has(column))
      .map((cell) => {
        const isStart = cell !== null && !seen.has(cell);
        if (cell) seen.add(cell);
        return { cell, isStart };
      }),
  );
}

/** The place of a part of a table, wherever it is written. */
function partOf(row: Element): number {
  return row.closest("thead") ? 0 : row.closest("tfoot") ? 2 : 1;
}

function spanOf(element: Element, name: "span" | "colspan" | "rowspan"): number {
  const span = Number.parseInt(element.getAttribute(name) ?? "1", 10);
  // A rowspan of 0 lasts to the end of the table.
  if (span === 0 && name === "rowspan") return maxSpan;
  return Math.min(Math.max(span || 1, 1), maxSpan);
}

/** Without the elements of tables in this one. */
function ownOf(table: Element, selector: string): Element[] {
  return [...table.querySelectorAll(selector)].filter(
    (element) => element.parentElement?.closest(tables) === table,
  );
}

function withoutEmpty(grid: Place[][], isFilled: (cell: Element) => boolean): Place[][] {
  const isKept = ({ cell, isStart }: Place) => cell !== null && isStart && isFilled(cell);
  const kept = new Set(
    grid.flatMap((row) => row.flatMap((place, at) => (isKept(place) ? at : []))),
  );
  return grid
    .filter((row) => row.some(isKept))
    .map((row) => row.filter((_, column) => kept.has(column)));
}

/** Whether cells are parts of a page beside each other: headings with their text, or a single row of several paragraphs. */
function isArranged(grid: readonly Place[][]): boolean {
  const textOf = (element: Element) => element.textContent?.replace(/\s+/g, " ").trim() ?? "";
  return grid.flat().some(({ cell }) => {
    const heading = cell?.querySelector(headings);
    if (!cell || (heading && textOf(heading) !== textOf(cell))) return cell !== null;
    const inner = [...cell.querySelectorAll(blocks)].filter(
      (block) => textOf(block) && !block.querySelector(blocks),
    );
    return grid.length === 1 && inner.length > 1;
  });
}

function isBold(row: readonly ReadText[] | undefined): boolean {
  const filled = row?.filter(({ text }) => text) ?? [];
  return (
    filled.length > 0 &&
    filled.every(({ text, marks }) => marks.some((mark) => isWhole(mark, text)))
  );
}

/** A header is bold by itself. */
function withoutBold({ text, marks }: ReadText): ReadText {
  return { text, marks: marks.filter((mark) => !isWhole(mark, text)) };
}

function isWhole({ type, start, end }: Mark, text: string): boolean {
  return type === "bold" && start === 0 && end === text.length;
}
