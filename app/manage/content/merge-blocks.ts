import { parseBlocks } from "../../posts/blocks.tsx";
import type { Json } from "../../supabase/database.ts";
import { blocksToText, textToBlocks } from "./marked-blocks.ts";

/**
 * The content of a post whose text was edited. Blocks that the edit did not touch stay exactly as they are stored.
 * Blocks that the text does not show, such as those of unknown types, stay after the block before them.
 * @param text the edited text of `original`
 */
export function mergeBlocks(original: Json, text: string): Json[] {
  const edited: Json[] = textToBlocks(text);
  const editedKeys = keysOf(edited);
  const stored = (Array.isArray(original) ? original : []).map((block) => ({
    block,
    /** The blocks that result when the block is written and read again, usually one, none when it is not shown. */
    keys: keysOf(textToBlocks(blocksToText(parseBlocks([block])))),
  }));
  const isAt = (place: number, keys: readonly string[]) =>
    keys.every((key, index) => key === editedKeys[place + index]);

  let start = 0;
  const first = stored.findIndex(({ keys }) => {
    if (!isAt(start, keys)) return true;
    start += keys.length;
    return false;
  });
  if (first === -1) return [...stored.map(({ block }) => block), ...edited.slice(start)];
  let end = edited.length;
  const last = stored.findLastIndex(({ keys }, index) => {
    const place = end - keys.length;
    if (index < first || place < start || !isAt(place, keys)) return true;
    end = place;
    return false;
  });

  /** The changed part: each shown block with the hidden ones after it. */
  const groups: { keys: readonly string[]; blocks: Json[] }[] = [];
  for (const { block, keys } of stored.slice(first, last + 1)) {
    if (keys.length > 0) groups.push({ keys, blocks: [block] });
    else groups.at(-1)?.blocks.push(block);
  }
  const merged: { blocks: Json[]; isNew: boolean }[] = [];
  while (start < end) {
    const at = groups.findIndex(({ keys }) => start + keys.length <= end && isAt(start, keys));
    const [kept] = at === -1 ? [] : groups.splice(at, 1);
    merged.push({ blocks: kept?.blocks ?? edited.slice(start, start + 1), isNew: !kept });
    start += kept?.keys.length ?? 1;
  }
  const hidden = groups.map(({ blocks }) => blocks.slice(1));
  return [
    ...stored.slice(0, first).map(({ block }) => block),
    ...merged.flatMap(({ blocks, isNew }) => [...blocks, ...((isNew && hidden.shift()) || [])]),
    ...hidden.flat(),
    ...stored.slice(last + 1).map(({ block }) => block),
  ];
}

function keysOf(blocks: readonly Json[]): string[] {
  return blocks.map((block) => JSON.stringify(block));
}

/** Whether two values are the same in any order of their keys, which the database changes. */
export function sameJson(a: unknown, b: unknown): boolean {
  const sorted = (_key: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}
