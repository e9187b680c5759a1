/**
 * The name that was probably meant, or null. Names of up to five letters may differ by one edit (a letter added,
 * left out, replaced, or swapped with its neighbour), longer ones by two.
 */
export function findMeantName(given: string, names: readonly string[]): string | null {
  const upper = given.toUpperCase();
  const [nearest] = names
    .map((name) => ({ name, edits: countEdits(upper, name) }))
    .filter(({ name, edits }) => edits <= (name.length <= 5 ? 1 : 2))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name ?? null;
}

/** Optimal string alignment. The packages for it count a swap as two edits, so that PROT would be as far from PORT as HOST is. */
function countEdits(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
