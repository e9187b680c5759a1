import { diffArrays } from "diff";
import { parseBlocks } from "../../posts/post-content.ts";
import type { Json } from "../../supabase/database.ts";
import { blocksToText } from "./blocks-to-text.ts";
import { textToBlocks } from "./text-to-blocks.ts";

/** More changed blocks than this are a new text, in which the diff would only cost time. */
const maxEdits = 1000;

/**
 * The content of a post whose text was edited. Blocks that the edit did not touch stay exactly as they are stored.
 * So do blocks that the text does not show, such as those of unknown types: they keep their place between their
 * neighbors.
 * @param text the edited text of `original`
 */
export function mergeBlocks(original: Json, text: string): Json[] {
  const stored = Array.isArray(original) ? original : [];
  const edited = textToBlocks(text);

  /** What the stored blocks become when they are written and read again: mostly one block each. */
  const before = stored.flatMap((block, source) =>
    textToBlocks(blocksToText(parseBlocks([block]))).map((read) => ({
      source,
      key: JSON.stringify(read),
    })),
  );
  const matches = matchKeys(
    before.map(({ key }) => key),
    edited.map((block) => JSON.stringify(block)),
  );

  /** For each stored block, the indices of its blocks in the edited text; undefined for changed ones. */
  const places = new Map<number, (number | undefined)[]>();
  for (const [index, { source }] of before.entries()) {
    places.set(source, [...(places.get(source) ?? []), matches.get(index)]);
  }

  const merged: Json[] = [];
  let next = 0;
  let gap: number[] = [];
  const closeGap = (end: number) => {
    const lastChanged = gap.findLast((source) => places.has(source));
    for (const source of gap) {
      if (!places.has(source)) merged.push(stored[source] ?? null);
      else if (source === lastChanged) {
        while (next < end) merged.push(edited[next++] ?? null);
      } else if (next < end) merged.push(edited[next++] ?? null);
    }
    while (next < end) merged.push(edited[next++] ?? null);
    gap = [];
  };
  for (const source of stored.keys()) {
    const indices = places.get(source) ?? [];
    const [first] = indices;
    const isKept =
      first !== undefined && indices.every((index, offset) => index === first + offset);
    if (!isKept) {
      gap.push(source);
      continue;
    }
    closeGap(first);
    merged.push(stored[source] ?? null);
    next = first + indices.length;
  }
  closeGap(edited.length);
  return merged;
}

/** The index of each unchanged key of `before` in `after`. */
function matchKeys(before: readonly string[], after: readonly string[]): Map<number, number> {
  const matches = new Map<number, number>();
  const shorter = Math.min(before.length, after.length);
  // Common ends first: of equal blocks, those around a single change then match themselves.
  let start = 0;
  while (start < shorter && before[start] === after[start]) matches.set(start, start++);
  let rest = shorter - start;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (rest > 0 && before[oldEnd - 1] === after[newEnd - 1]) {
    matches.set(--oldEnd, --newEnd);
    rest--;
  }
  const changes = diffArrays(before.slice(start, oldEnd), after.slice(start, newEnd), {
    maxEditLength: maxEdits,
  });
  let [oldIndex, newIndex] = [start, start];
  for (const { added, removed, count } of changes ?? []) {
    for (let i = 0; !added && !removed && i < count; i++) {
      matches.set(oldIndex + i, newIndex + i);
    }
    if (!added) oldIndex += count;
    if (!removed) newIndex += count;
  }
  return matches;
}
