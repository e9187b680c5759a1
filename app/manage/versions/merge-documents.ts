// Merges what was changed here with what was changed elsewhere, field by field.

export type Side = "here" | "there";

export interface Conflict {
  /** Such as "home.title" or, in a list whose rows have a slug, "items[term-life].tagline". */
  path: string;
  /** Undefined for a row that was removed. */
  here: unknown;
  there: unknown;
}

export interface Merged<Document> {
  /** Has the value of `here` where the owner must choose. */
  document: Document;
  /** The base of the next merge: `there`, but the old base where the owner must choose. */
  base: Document;
  conflicts: readonly Conflict[];
}

/**
 * Merges three versions of a document. A value that only one side changed is taken from that side. Objects are merged by
 * field and lists of rows with a slug by row; any other list, and an image, is one value.
 * @param choose ends a conflict
 */
export function mergeDocuments<Document>(
  base: Document | undefined,
  here: Document,
  there: Document,
  choose?: (path: string) => Side | undefined,
): Merged<Document> {
  const conflicts: Conflict[] = [];

  function merge(base: unknown, here: unknown, there: unknown, path: string): [unknown, unknown] {
    if (isSameValue(here, there)) return [here, there];
    if (isSameValue(base, here)) return [there, there];
    if (isSameValue(base, there)) return [here, there];
    if (isObject(here) && isObject(there) && !("src" in here && "src" in there)) {
      const old = isObject(base) ? base : {};
      const parts = [...new Set([...Object.keys(here), ...Object.keys(there)])].map((name) => {
        const at = path ? `${path}.${name}` : name;
        return [name, ...merge(old[name], here[name], there[name], at)] as const;
      });
      return [pick(parts, 1), pick(parts, 2)];
    }
    const rows = [base ?? [], here, there].map(rowsBySlug);
    const [oldRows, ownRows, otherRows] = rows;
    if (oldRows && ownRows && otherRows) {
      const order = mergeOrders(oldRows, ownRows, otherRows);
      if (order) {
        const slugs = [...new Set(rows.flatMap((list) => [...(list ?? new Map()).keys()]))];
        const parts = slugs.map((slug) => {
          const versions = [oldRows.get(slug), ownRows.get(slug), otherRows.get(slug)] as const;
          return [slug, ...merge(...versions, `${path}[${slug}]`)] as const;
        });
        return [
          arrange(pick(parts, 1), order === "here" ? [ownRows, otherRows] : [otherRows, ownRows]),
          arrange(pick(parts, 2), [otherRows, oldRows]),
        ];
      }
    }
    const side = choose?.(path);
    if (side) return [side === "here" ? here : there, there];
    conflicts.push({ path, here, there });
    return [here, base];
  }

  const [document, next] = merge(base, here, there, "");
  // A merge of documents has their fields, each with a value of one of them.
  return { document: document as Document, base: next as Document, conflicts };
}

/** Compares without the order of properties, which the database does not keep, and blanks around texts, which it strips. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a.trim() === b.trim();
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, index) => isSameValue(entry, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) =>
      isSameValue(a[name], b[name]),
    );
  }
  return a === b;
}

type Rows = ReadonlyMap<string, Record<string, unknown>>;

/** The rows of a list; null for a value without rows that can be told apart. */
function rowsBySlug(list: unknown): Rows | null {
  if (!Array.isArray(list)) return null;
  const rows = new Map<string, Record<string, unknown>>();
  for (const row of list) {
    if (!isObject(row) || typeof row.slug !== "string" || row.slug === "" || rows.has(row.slug)) {
      return null;
    }
    rows.set(row.slug, row);
  }
  return rows;
}

/** The side that changed the order of the rows; null when both did. */
function mergeOrders(base: Rows, here: Rows, there: Rows): Side | null {
  if (isSameOrder(base, here)) return "there";
  return isSameOrder(base, there) || isSameOrder(here, there) ? "here" : null;
}

function isSameOrder(a: Rows, b: Rows): boolean {
  const shared = (from: Rows, other: Rows) => [...from.keys()].filter((slug) => other.has(slug));
  return shared(a, b).join() === shared(b, a).join();
}

/** The rows in the order of the first list. Those of the second list alone follow the row before them there. */
function arrange(rows: Record<string, unknown>, [first, second]: [Rows, Rows]): unknown[] {
  const order = [...first.keys()];
  let place = -1;
  for (const slug of second.keys()) {
    const at = order.indexOf(slug);
    if (at >= 0) place = at;
    else order.splice(++place, 0, slug);
  }
  return order.flatMap((slug) => rows[slug] ?? []);
}

/** The merged fields (1) or their bases (2), without removed ones. */
function pick(
  parts: readonly (readonly [string, unknown, unknown])[],
  index: 1 | 2,
): Record<string, unknown> {
  return Object.fromEntries(
    parts.flatMap((part) => (part[index] === undefined ? [] : [[part[0], part[index]]])),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
