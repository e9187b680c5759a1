// The edits that the buttons and keys of the content field make. These functions are pure; the field applies the edits.
import type { Emphasis } from "../../posts/formatted-text.tsx";
import { type MarkedTypeName, markedTypes } from "./marked-blocks.ts";
import { emphasisSigns } from "./marked-text.ts";

/** Replaces a range of the text and selects a range of the result. */
export interface TextEdit {
  start: number;
  end: number;
  replacement: string;
  selectionStart: number;
  selectionEnd: number;
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
    const sign = Object.values(markedTypes).find((other) => other.sign.test(line))?.sign;
    const rest = sign ? line.replace(sign, "") : line;
    return isMarked ? rest : write(index) + rest;
  });
  const replacement = lines
    .map((line) => (filled.includes(line) ? changed.shift() : line))
    .join("\n");
  const isCursor = selectionStart === selectionEnd;
  return replaceRange(start, end, replacement, isCursor ? undefined : [0, replacement.length]);
}

/** Puts asterisks around the selected text, or removes them; at the cursor, around what is typed next. */
export function toggleEmphasis(
  { text, selectionStart, selectionEnd }: Selected,
  type: Emphasis,
): TextEdit {
  const { stars } = emphasisSigns[type];
  const { length } = stars;
  const selected = text.slice(selectionStart, selectionEnd);
  const inner = selected.trim();
  const start = selectionStart + selected.indexOf(inner);
  const end = start + inner.length;
  const [before = ""] = /\*{0,3}$/.exec(text.slice(0, start)) ?? [];
  const [after = ""] = /^\*{0,3}/.exec(text.slice(end)) ?? [];
  // Three asterisks are both bold and italic.
  const isOn = [before, after].every((mark) => mark === stars || mark === "***");
  return isOn
    ? replaceRange(start - length, end + length, inner, [0, inner.length])
    : replaceRange(start, end, stars + inner + stars, [length, length + inner.length]);
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

/** Whether pasted text is one address, which then becomes the target of the selected text. */
export function isAddress(pasted: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(pasted.trim()) && URL.canParse(pasted.trim());
}
