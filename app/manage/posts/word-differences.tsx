import { diffLines, diffWordsWithSpace } from "diff";
import { useMemo } from "react";

/** Comparing words is quadratic in the worst case; beyond this many edits, whole lines are compared. */
const maxWordEdits = 4000;

/** The text of the second version, with the words that were added to the first and those that were removed. */
export function WordDifferences({ from, to }: { from: string; to: string }) {
  const changes = useMemo(
    () =>
      diffWordsWithSpace(from, to, { maxEditLength: maxWordEdits }) ??
      diffLines(from, to, { maxEditLength: maxWordEdits }) ?? [
        { removed: true, added: false, value: from },
        { removed: false, added: true, value: to },
      ],
    [from, to],
  );
  if (changes.every(({ added, removed }) => !added && !removed)) {
    return <p className="text-muted">The texts are the same.</p>;
  }
  return (
    <div className="max-h-96 overflow-auto rounded-md border border-line bg-surface p-4 leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
      {changes.map(({ added, removed, value }, index) => {
        if (added) {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never move.
            <ins key={index} className="bg-sage font-medium decoration-evergreen">
              {value}
            </ins>
          );
        }
        if (removed) {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never move.
            <del key={index} className="bg-clay-soft text-danger">
              {value}
            </del>
          );
        }
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never move.
        return <span key={index}>{shorten(value, index === 0, index === changes.length - 1)}</span>;
      })}
    </div>
  );
}

/** Characters shown on each side of a change. */
const context = 240;

/** Leaves out the middle of a long unchanged part. */
function shorten(value: string, isFirst: boolean, isLast: boolean): string {
  if (value.length <= 2 * context + 40) return value;
  const start = isFirst ? "" : value.slice(0, context);
  const end = isLast ? "" : value.slice(-context);
  return `${start}\n […]\n ${end}`;
}
