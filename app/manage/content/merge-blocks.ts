import { diffArrays } from "diff";
import { parseBlocks } from "../../posts/blocks.tsx";
import type { Json } from "../../supabase/database.ts";
import { blocksToText, textToBlocks } from "./marked-blocks.ts";

/** The maximum number of changed blocks. Beyond it the text counts as new, because the diff would take too long. */
const maxEdits = 1000;

/**
 * The content of a post whose text was edited. Blocks that the edit did not touch stay exactly as they are stored.
 * So do blocks that the text does not show, such as those of unknown types: they keep their place between their
 * neighbors.
 * @param text the edited text of `original`
 */
export function mergeBlocks(original: Json, text: string): Json[] {
  const edited: Json[] = textToBlocks(text);
  const stored = (Array.isArray(original) ? original : []).map((block) => ({
    block,
    /** The blocks that result when the block is written and read again, usually one. */
    keys: keysOf(textToBlocks(blocksToText(parseBlocks([block])))),
  }));
  const shown = stored.filter(({ keys }) => keys.length > 0);
  const matches = matchKeys(
    shown.flatMap(({ keys }) => keys),
    keysOf(edited),
  );
  /** The index of each shown block in the edited text; undefined for changed ones. */
  const places = shown.map(({ keys }) => {
    const [place, ...others] = matches.splice(0, keys.length);
    const isKept = others.every((other, index) => other === Number(place) + 1 + index);
    return isKept ? place : undefined;
  });
  const kept = places.filter((place) => place !== undefined);

  const merged: Json[] = [];
  let next = 0;
  for (const { block, keys } of stored) {
    if (keys.length === 0) {
      merged.push(block);
      continue;
    }
    const place = places.shift();
    const isLastChanged = places.length === 0 || places[0] !== undefined;
    if (place !== undefined) {
      merged.push(...edited.slice(next, kept.shift()), block);
      next = place + keys.length;
    } else {
      // A changed block takes the place of the stored one, the last one also what is left before the next kept block.
      const end = kept[0] ?? edited.length;
      const taken = edited.slice(next, isLastChanged ? end : Math.min(next + 1, end));
      merged.push(...taken);
      next += taken.length;
    }
  }
  return [...merged, ...edited.slice(next)];
}

function keysOf(blocks: readonly Json[]): string[] {
  return blocks.map((block) => JSON.stringify(block));
}

/** The index in `after` of each key of `before`; undefined for keys that are missing there. */
function matchKeys(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  // Matches common ends first, so that equal blocks after a single change match themselves.
  let same = 0;
  while (same < before.length && before.at(-1 - same) === after.at(-1 - same)) same++;
  const [oldEnd, newEnd] = [before.length - same, after.length - same];
  const changes = diffArrays(before.slice(0, oldEnd), after.slice(0, newEnd), {
    maxEditLength: maxEdits,
  }) ?? [{ removed: true, added: false, count: oldEnd }];
  let place = 0;
  const matches = changes.flatMap(({ added, removed, count }) => {
    const start = place;
    if (!removed) place += count;
    if (added) return [];
    return Array.from({ length: count }, (_, index) => (removed ? undefined : start + index));
  });
  return [...matches, ...Array.from({ length: same }, (_, index) => newEnd + index)];
}

/** Whether two values are the same in any order of their keys, which the database changes. */
export function sameJson(a: unknown, b: unknown): boolean {
  const sorted = (_key: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}
