// Filter values are text until the database knows the column's type. The library guesses instead: it takes
// `slug=eq.true` for a boolean and `slug=eq.1e5` for 100000. Quoted, it takes them as they are.
// Covers: comparisons and lists in the query. Does not cover: values inside or=() and and=().

const comparison = /^((?:not\.)?(?:eq|neq|gt|gte|lt|lte|isdistinct)\.)(.*)$/s;
const plainList = /^((?:not\.)?in\.)\(([^"()]+)\)$/s;
/** Their values are no filters. */
const notColumns = /(^|\.)(select|order|limit|offset|columns|on_conflict|or|and|apikey)$/;

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * A parameter's name that every JavaScript object knows, if there is one. The library looks names up in
 * plain objects: `__proto__=eq.x` would write into the one that all others inherit from.
 */
export function inheritedName(search: string): string | null {
  const names = [...new URLSearchParams(search).keys()].flatMap((name) => name.split(/[^\w$]+/));
  return names.find((name) => inherited.has(name)) ?? null;
}

/** @param search as in a URL, with or without its question mark. */
export function quoteFilterValues(search: string): string {
  const parameters = new URLSearchParams(search);
  const quoted = [...parameters].map(([name, value]) => [
    name,
    notColumns.test(name) ? value : quoteValue(value),
  ]);
  return new URLSearchParams(quoted).toString();
}

function quoteValue(value: string): string {
  const compared = value.match(comparison);
  if (compared) return `${compared[1]}"${compared[2]}"`;
  const listed = value.match(plainList);
  if (!listed) return value;
  const items = (listed[2] ?? "").split(",").map((item) => `"${item}"`);
  return `${listed[1]}(${items.join(",")})`;
}
