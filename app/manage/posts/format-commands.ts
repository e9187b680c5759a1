// What the buttons and keys of the content field do to its text. Pure: the field applies the edits.
import { type Emphasis, emphases, type Mark } from "../../posts/formatted-text.tsx";
import {
  inlineRanges,
  isListType,
  type MarkedTypeName,
  markedTypes,
  signOf,
} from "./marked-blocks.ts";
import { parseEmphasis, printEmphasis } from "./marked-text.ts";

/** Replaces a range of the text and selects a range of the result. */
export interface TextEdit {
  start: number;
  end: number;
  replacement: string;
  selectionStart: number;
  selectionEnd: number;
}

export function applyEdit(text: string, { start, end, replacement }: TextEdit): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

interface Selected {
  text: string;
  selectionStart: number;
  selectionEnd: number;
}

/** Marks the selected lines; removes the mark from lines that all have it. */
export function toggleLines(
  { text, selectionStart, selectionEnd }: Selected,
  type: MarkedTypeName,
): TextEdit {
  const start = text.lastIndexOf("\n", selectionStart - 1) + 1;
  const next = text.indexOf("\n", Math.max(selectionEnd, start));
  const end = next === -1 ? text.length : next;
  const { write } = markedTypes[type];
  const lines = text.slice(start, end).split("\n");
  const filled = lines.filter((line) => line.trim() || lines.length === 1);
  const isMarked = filled.every((line, index) => line.startsWith(write(index)));
  const changed = filled.map((line, index) => {
    const other = signOf(line);
    const rest = other ? line.replace(markedTypes[other].sign, "") : line;
    return isMarked ? rest : write(index) + rest;
  });
  const replacement = lines
    .map((line) => (filled.includes(line) ? changed.shift() : line))
    .join("\n");
  const isCursor = selectionStart === selectionEnd;
  return replaceRange(start, end, replacement, isCursor ? undefined : [0, replacement.length]);
}

/** Stands for the ends of a selection, or for what is typed next. Posts cannot contain it. */
const caret = "\0";

/** Switches bold or italic on or off: for the selected text, or at the cursor for what is typed next. */
export function toggleEmphasis(selected: Selected, type: Emphasis): TextEdit | null {
  const parts = selectedParts(selected);
  const isOn = areEmphasized(parts, type);
  const changed = parts.map(({ text, marks, from, to, ...range }) => {
    const others = marks.filter((mark) => mark.type !== type || mark.end < from || mark.start > to);
    const touched = marks.filter((mark) => !others.includes(mark));
    const added = isOn
      ? touched.flatMap((mark) => without({ text, from, to }, mark))
      : [...touched, { type, start: from, end: to }];
    return { ...range, source: printEmphasis({ text, marks: [...others, ...added] }) };
  });
  return replaceParts(selected, changed);
}

/** What is left of emphasis when it is switched off. Inside of emphasized text, the cursor switches off all of it. */
function without({ text, from, to }: Pick<Part, "text" | "from" | "to">, mark: Mark): Mark[] {
  const before = { ...mark, end: from };
  const after = { ...mark, start: to };
  const isInside = [before, after].every(({ start, end }) => text.slice(start, end).trim());
  if (isInside && to - from === caret.length) return [];
  return [before, after].filter(({ start, end }) => start < end);
}

/** Removes the asterisks at an offset that emphasize nothing. */
export function dropEmptyMarks(selected: Selected, at: number): TextEdit | null {
  const [part] = selectedParts({ ...selected, selectionStart: at, selectionEnd: at });
  if (!part) return null;
  const { text, marks, from, to, start, end } = part;
  const filled = marks.filter((mark) => mark.start !== from || mark.end !== to);
  if (filled.length === marks.length) return null;
  const source = printEmphasis({ text, marks: filled }).replace(caret, "");
  const length = (end - start - source.length) / 2;
  const move = (offset: number) =>
    offset < at ? Math.min(offset, at - length) : Math.max(offset - 2 * length, at - length);
  return {
    start: at - length,
    end: at + length,
    replacement: "",
    selectionStart: move(selected.selectionStart),
    selectionEnd: move(selected.selectionEnd),
  };
}

/** The formats of the selection, whose buttons are pressed. */
export function formatsAt(selected: Selected): ReadonlySet<MarkedTypeName | Emphasis> {
  const { text, selectionStart } = selected;
  const line = text.slice(text.lastIndexOf("\n", selectionStart - 1) + 1).trimStart();
  const parts = selectedParts(selected);
  const isOn = emphases.filter((type) => areEmphasized(parts, type));
  return new Set([signOf(line) ?? [], isOn].flat());
}

/** A selected range of text that can be emphasized. */
interface Part {
  start: number;
  end: number;
  /** Without asterisks, and with the ends of the selection. */
  text: string;
  marks: Mark[];
  /** The selection in `text`, with its ends. */
  from: number;
  to: number;
}

function selectedParts({ text, selectionStart, selectionEnd }: Selected): Part[] {
  const isCursor = selectionStart === selectionEnd;
  return inlineRanges(text).flatMap(({ start, end }) => {
    let from = Math.max(start, selectionStart);
    let to = Math.min(end, selectionEnd);
    const inner = text.slice(from, to).trim();
    if (from > to || (!isCursor && !inner)) return [];
    if (!isCursor) {
      // Spaces stay outside of the asterisks, and asterisks together.
      from += text.slice(from, to).indexOf(inner);
      to = from + inner.length;
      while (from > start && text.slice(from - 1, from + 1) === "**") from -= 1;
      while (to < end && text.slice(to - 1, to + 1) === "**") to += 1;
    }
    const ends = isCursor ? caret : caret + text.slice(from, to) + caret;
    const parsed = parseEmphasis(text.slice(start, from) + ends + text.slice(to, end));
    const first = parsed.text.indexOf(caret);
    return { start, end, ...parsed, from: first, to: parsed.text.lastIndexOf(caret) + 1 };
  });
}

function areEmphasized(parts: readonly Part[], type: Emphasis): boolean {
  const isCovered = ({ marks, from, to }: Part) => {
    const inner = to - from === caret.length ? 0 : caret.length;
    return marks.some(
      ({ type: other, start, end }) => other === type && start <= from + inner && end >= to - inner,
    );
  };
  return parts.length > 0 && parts.every(isCovered);
}

/** Replaces parts of a text by others, which have the ends of the selection. */
function replaceParts(
  selected: Selected,
  parts: readonly { start: number; end: number; source: string }[],
): TextEdit | null {
  if (parts.length === 0) return null;
  let marked = "";
  let last = 0;
  for (const { start, end, source } of parts) {
    marked += selected.text.slice(last, start) + source;
    last = end;
  }
  return editTo(selected, marked + selected.text.slice(last));
}

/** The edit that makes another text, whose selection is between the first and the last `caret`. */
function editTo({ text, selectionStart, selectionEnd }: Selected, marked: string): TextEdit {
  const pieces = marked.split(caret);
  const result = pieces.join("");
  // Replaces only what differs, so that undoing selects little.
  let start = 0;
  while (start < selectionStart && text[start] === result[start]) start += 1;
  let rest = 0;
  const most = Math.min(text.length - selectionEnd, result.length - start);
  while (rest < most && text.at(-1 - rest) === result.at(-1 - rest)) rest += 1;
  return {
    start,
    end: text.length - rest,
    replacement: result.slice(start, result.length - rest),
    selectionStart: pieces[0]?.length ?? 0,
    selectionEnd: result.length - (pieces.at(-1)?.length ?? 0),
  };
}

/** A line break in a list: starts the next item, or ends the list at an empty one. Null outside of lists. */
export function continueList(selected: Selected): TextEdit | null {
  const { text, selectionStart, selectionEnd } = selected;
  const item = inlineRanges(text).findLast(({ start }) => start <= selectionStart);
  if (!item || item.end < selectionStart) return null;
  const start = text.lastIndexOf("\n", item.start - 1) + 1;
  const [, indent = "", mark = ""] = /^(\s*)(.*)/.exec(text.slice(start, item.start)) ?? [];
  const type = signOf(mark);
  if (!mark || !type || !isListType(type)) return null;
  const { sign, write } = markedTypes[type];
  const number = Number(sign.exec(mark)?.[1]);
  const before = text.slice(0, selectionStart);
  const after = text.slice(selectionEnd).replace(/^[ \t]+/, "");
  if (!text.slice(item.start, item.end).trim()) {
    // A blank line, so that what follows is no part of the last item.
    const gap = /\S[ \t]*\n$/.test(text.slice(0, start)) ? "\n" : "";
    return editTo(selected, text.slice(0, start) + gap + caret + count(after, type, 0));
  }
  const rest = count(after, type, number + 1);
  return editTo(selected, `${before}\n${indent}${write(number)}${caret}${rest}`);
}

/** Numbers the items on the lines after the first one. */
function count(text: string, type: MarkedTypeName, before: number): string {
  const { sign, write } = markedTypes[type];
  let isItem = true;
  const [first, ...lines] = text.split("\n");
  const counted = lines.map((line, index) => {
    isItem &&= sign.test(line);
    return isItem ? line.replace(sign, write(before + index)) : line;
  });
  return [first, ...counted].join("\n");
}

/** Makes the selected text a link. Without an address, the address is selected to be typed. */
export function insertLink(
  { text, selectionStart, selectionEnd }: Selected,
  address?: string,
): TextEdit {
  const label = text.slice(selectionStart, selectionEnd).trim() || "link";
  const href = address ?? "https://";
  const hrefStart = label.length + 3;
  return replaceRange(
    selectionStart,
    selectionEnd,
    `[${label}](${href})`,
    address ? undefined : [hrefStart, hrefStart + href.length],
  );
}

/** Inserts blocks of their own at the cursor, between blank lines. */
export function insertBlocks(
  { text, selectionStart, selectionEnd }: Selected,
  blocks: string,
): TextEdit {
  const before = text.slice(0, selectionStart);
  const after = text.slice(selectionEnd);
  const [breaksBefore = ""] = /\n{0,2}$/.exec(before) ?? [];
  const [breaksAfter = ""] = /^\n{0,2}/.exec(after) ?? [];
  const inserted = (before.trim() && "\n\n".slice(breaksBefore.length)) + blocks;
  const gap = after.trim() && "\n\n".slice(breaksAfter.length);
  const cursor = inserted.length;
  return replaceRange(selectionStart, selectionEnd, inserted + gap, [cursor, cursor]);
}

/** @param selection a range of the replacement; by default the cursor is after it */
export function replaceRange(
  start: number,
  end: number,
  replacement: string,
  [from, to] = [replacement.length, replacement.length],
): TextEdit {
  return { start, end, replacement, selectionStart: start + from, selectionEnd: start + to };
}

/** Makes the selected text a link to a pasted address. Null for other text, and when an address is replaced. */
export function pasteLink(selected: Selected, pasted: string): TextEdit | null {
  const { text, selectionStart, selectionEnd } = selected;
  const address = pasted.trim();
  const label = text.slice(selectionStart, selectionEnd);
  const isAddress = (words: string) =>
    /^(?:https?:\/\/|www\.|mailto:|tel:)\S*$/i.test(words.trim());
  const isLink = isAddress(address) && URL.canParse(address.replace(/^www\./i, "https://$&"));
  return isLink && label.trim() && !isAddress(label) ? insertLink(selected, address) : null;
}
