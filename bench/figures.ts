/** A Markdown table with aligned columns. Numbers are right-aligned. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const right = head.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const line = (row: readonly string[]) =>
    `| ${widths
      .map((width, column) => {
        const cell = row[column] ?? "";
        return right[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(" | ")} |`;
  const [first = [], ...rest] = cells;
  const rule = `|${widths
    .map((width, column) => `${"-".repeat(width + 1)}${right[column] ? ":" : "-"}`)
    .join("|")}|`;
  return [line(first), rule, ...rest.map(line)].join("\n");
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/** The median; of an even number of values, the lower middle one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
