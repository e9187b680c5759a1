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

function lineStart(text: string, offset: number): number {
  return text.slice(0, offset).lastIndexOf("\n") + 1;
}

/** Marks the selected lines; removes the mark from lines that all have it. */
export function toggleLines(
  { text, selectionStart, selectionEnd }: Selected,
  type: MarkedTypeName,
): TextEdit {
  const start = lineStart(text, selectionStart);
  // A line break at the end of the selection belongs to the last line, as a triple click selects it.
  const next = text.indexOf("\n", Math.max(selectionStart, selectionEnd - 1));
  const end = next === -1 ? text.length : next;
  const { write } = markedTypes[type];
  const lines = text.slice(start, end).split("\n");
  const filled = lines.filter((line) => line.trim() || lines.length === 1);
  const isMarked = filled.every((line) => signOf(line) === type);
  let index = 0;
  const changed = lines.map((line) => {
    if (!filled.includes(line)) return line;
    const other = signOf(line);
    const content = line.trimStart();
    const rest = other ? content.replace(markedTypes[other].sign, "") : content;
    return isMarked ? rest : write(index++) + rest;
  });
  const replacement = changed.join("\n");
  const isCursor = selectionStart === selectionEnd;
  return replaceRange(start, end, replacement, isCursor ? undefined : [0, replacement.length]);
}

/** Stands for the ends of a selection, or for what is typed next. Posts cannot contain it. */
const caret = "\0";

/** Switches bold or italic on or off: for the selected text, or at the cursor for what is typed next. */
export function toggleEmphasis(selected: Selected, type: Emphasis): TextEdit | null {
  const parts = selectedParts(selected);
  const isOn = areEmphasized(parts, type);
  let marked = selected.text;
  for (const { start, end, text, marks, from, to } of parts.toReversed()) {
    const changed = isOn
      ? marks.flatMap((mark) => (mark.type === type ? without(text, mark, from, to) : mark))
      : [...marks, { type, start: from, end: to }];
    marked = marked.slice(0, start) + printEmphasis({ text, marks: changed }) + marked.slice(end);
  }
  return parts.length > 0 ? editTo(selected, marked) : null;
}

/** What is left of emphasis when it is switched off. Inside of emphasized text, the cursor switches off all of it. */
function without(text: string, mark: Mark, from: number, to: number): Mark[] {
  const before = { ...mark, end: Math.min(mark.end, from) };
  const left = [before, { ...mark, start: Math.max(mark.start, to) }];
  const isInside = left.every(({ start, end }) => text.slice(start, end).trim());
  return isInside && to - from === 1 ? [] : left.filter(({ start, end }) => start < end);
}

/** Removes the asterisks around an offset when nothing was typed between them. Moves the selection along. */
export function dropEmptyMarks(
  { text, selectionStart, selectionEnd }: Selected,
  at: number,
): TextEdit | null {
  const [before = ""] = /\*{0,3}$/.exec(text.slice(0, at)) ?? [];
  const [after = ""] = /^\*{0,3}/.exec(text.slice(at)) ?? [];
  const length = Math.min(before.length, after.length);
  const [start, end] = [at - length, at + length];
  const move = (offset: number) => Math.min(offset, Math.max(start, offset - 2 * length));
  if (length === 0) return null;
  const selection = { selectionStart: move(selectionStart), selectionEnd: move(selectionEnd) };
  return { start, end, replacement: "", ...selection };
}

/** The formats of the selection, whose buttons are pressed. */
export function formatsAt(selected: Selected): ReadonlySet<MarkedTypeName | Emphasis> {
  const { text, selectionStart } = selected;
  const [line = ""] = text.slice(lineStart(text, selectionStart)).split("\n");
  const parts = selectedParts(selected);
  const isOn = emphases.filter((type) => areEmphasized(parts, type));
  return new Set([signOf(line) ?? [], isOn].flat());
}

/** The selected ranges that can be emphasized: their text without asterisks, and in it the selection with its ends. */
function selectedParts({ text, selectionStart, selectionEnd }: Selected) {
  const isCursor = selectionStart === selectionEnd;
  return inlineRanges(text).flatMap(({ start, end }) => {
    let from = Math.max(start, selectionStart);
    let to = Math.min(end, selectionEnd);
    // Spaces stay outside of the asterisks, which may be selected as well.
    const inner = text.slice(from, to).replace(/^[\s*]+|[\s*]+$/g, "");
    if (from > to || (!isCursor && !inner)) return [];
    if (!isCursor) {
      from = text.indexOf(inner, from);
      to = from + inner.length;
    }
    const ends = isCursor ? caret : caret + text.slice(from, to) + caret;
    const parsed = parseEmphasis(text.slice(start, from) + ends + text.slice(to, end));
    const [first, last] = [parsed.text.indexOf(caret), parsed.text.lastIndexOf(caret)];
    return { start, end, ...parsed, from: first, to: last + 1 };
  });
}

function areEmphasized(parts: ReturnType<typeof selectedParts>, type: Emphasis): boolean {
  const isCovered = parts.every(({ marks, from, to }) => {
    const inset = to - from > 1 ? 1 : 0;
    const [start, end] = [from + inset, to - inset];
    return marks.some((mark) => mark.type === type && mark.start <= start && mark.end >= end);
  });
  return parts.length > 0 && isCovered;
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
  const start = lineStart(text, item.start);
  const [, indent = "", mark = ""] = /^(\s*)(.*)/.exec(text.slice(start, item.start)) ?? [];
  const type = signOf(mark);
  if (!type || !isListType(type)) return null;
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
    isItem &&= signOf(line) === type;
    return isItem ? line.replace(sign, write(before + index)) : line;
  });
  return [first, ...counted].join("\n");
}

/** Makes the selected text a link. Without an address, the address is selected to be typed. Null where none can be. */
export function insertLink(
  { text, selectionStart, selectionEnd }: Selected,
  address?: string,
): TextEdit | null {
  const selected = text.slice(selectionStart, selectionEnd);
  const words = selected.trim();
  const label = words || "link";
  // Spaces stay outside of the link.
  const start = selectionEnd - selected.trimStart().length;
  const end = start + words.length;
  if (!inlineRanges(text).some((range) => range.start <= start && end <= range.end)) return null;
  const href = address ?? "https://";
  const hrefStart = label.length + 3;
  return replaceRange(
    start,
    end,
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
