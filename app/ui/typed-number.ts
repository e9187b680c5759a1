/**
 * Reads a number as people write it: `75000`, `75,000`, `$75,000`, `75k`, `7.5 %`.
 * @returns null for what is no number.
 */
export function parseTypedNumber(text: string): number | null {
  const [, digits = "", unit = ""] =
    /^\$?([-\d.]+)([km]?)%?$/i.exec(text.replace(/[\s,]/g, "")) ?? [];
  const number = digits === "" ? Number.NaN : Number(digits);
  return Number.isNaN(number) ? null : number * (factors[unit.toLowerCase()] ?? 1);
}

const factors: Record<string, number> = { k: 1_000, m: 1_000_000 };

/** As it stands in its field: `75,000`, `7.5`. */
export function writeNumber(value: number): string {
  return grouped.format(value);
}

const grouped = new Intl.NumberFormat("en-US");
