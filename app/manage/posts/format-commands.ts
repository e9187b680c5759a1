// What the buttons and keys of the content field do to its text. Pure: the field applies the edits.

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

export type LineMark = "heading" | "list" | "numbered-list" | "quote" | "note";

const prefixes: Record<LineMark, (index: number) => string> = {
  heading: () => "## ",
  list: () => "- ",
  "numbered-list": (index) => `${index + 1}. `,
  quote: () => "> ",
  note: () => "!! ",
};

const anyPrefix = /^(?:#{1,6}|-|\d{1,9}\.|>|!!)[ \t]+/;

/** Marks the selected lines; removes the mark from lines that all have it. */
export function toggleLines(
  { text, selectionStart, selectionEnd }: Selected,
  mark: LineMark,
): TextEdit {
  const start = text.lastIndexOf("\n", selectionStart - 1) + 1;
  const next = text.indexOf("\n", Math.max(selectionEnd, start));
  const end = next === -1 ? text.length : next;
  const lines = text.slice(start, end).split("\n");
  const filled = lines.filter((line) => line.trim());
  const isMarked =
    filled.length > 0 && filled.every((line, index) => line.startsWith(prefixes[mark](index)));
  let index = 0;
  const replacement = lines
    .map((line) => {
      if (!line.trim() && lines.length > 1) return line;
      const rest = line.replace(anyPrefix, "");
      return isMarked ? rest : prefixes[mark](index++) + rest;
    })
    .join("\n");
  const isCursor = selectionStart === selectionEnd;
  const selectionAfter = start + replacement.length;
  return {
    ...{ start, end, replacement },
    selectionStart: isCursor ? selectionAfter : start,
    selectionEnd: selectionAfter,
  };
}

/** Puts asterisks around the selected text, or removes them; at the cursor, around what is typed next. */
export function toggleStars(
  { text, selectionStart, selectionEnd }: Selected,
  stars: "**" | "*",
): TextEdit {
  const selected = text.slice(selectionStart, selectionEnd);
  const inner = selected.trim();
  const start = selectionStart + selected.indexOf(inner);
  const end = start + inner.length;
  const { length } = stars;
  const before = /\*{0,3}$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const after = /^\*{0,3}/.exec(text.slice(end))?.[0].length ?? 0;
  // Three asterisks are both bold and italic.
  const isOn = (count: number) => count === length || count === 3;
  if (isOn(before) && isOn(after)) {
    return {
      ...{ start: start - length, end: end + length, replacement: inner },
      ...{ selectionStart: start - length, selectionEnd: end - length },
    };
  }
  return {
    ...{ start, end, replacement: stars + inner + stars },
    ...{ selectionStart: start + length, selectionEnd: end + length },
  };
}

/** Makes the selected text a link. Without an address, the address is selected to be typed. */
export function insertLink(
  { text, selectionStart, selectionEnd }: Selected,
  address?: string,
): TextEdit {
  const label = text.slice(selectionStart, selectionEnd).trim() || "link";
  const href = address ?? "https://";
  const replacement = `[${label}](${href})`;
  const hrefStart = selectionStart + label.length + 3;
  return {
    ...{ start: selectionStart, end: selectionEnd, replacement },
    selectionStart: address ? selectionStart + replacement.length : hrefStart,
    selectionEnd: address ? selectionStart + replacement.length : hrefStart + href.length,
  };
}

/** Inserts blocks of their own at the cursor, between blank lines. */
export function insertBlocks(
  { text, selectionStart, selectionEnd }: Selected,
  blocks: string,
): TextEdit {
  const before = text.slice(0, selectionStart);
  const after = text.slice(selectionEnd);
  const gapBefore =
    before.trim() === "" ? "" : "\n".repeat(2 - Math.min(2, trailingBreaks(before)));
  const gapAfter = after.trim() === "" ? "" : "\n".repeat(2 - Math.min(2, leadingBreaks(after)));
  const replacement = gapBefore + blocks + gapAfter;
  const selection = selectionStart + gapBefore.length + blocks.length;
  return {
    ...{ start: selectionStart, end: selectionEnd, replacement },
    ...{ selectionStart: selection, selectionEnd: selection },
  };
}

function trailingBreaks(text: string): number {
  return /\n*$/.exec(text)?.[0].length ?? 0;
}

function leadingBreaks(text: string): number {
  return /^\n*/.exec(text)?.[0].length ?? 0;
}

/** Whether pasted text is one address, which then becomes the target of the selected text. */
export function isAddress(pasted: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(pasted.trim()) && URL.canParse(pasted.trim());
}
