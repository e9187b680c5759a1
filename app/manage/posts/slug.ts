/** Addresses below /blog that are pages of the site. */
const reserved = new Set(["new"]);

/** The slug rule (section 5). A title of which nothing is left, such as 退職計画, gives "post". */
export function slugify(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^\w-]/g, "");
  return /^-*$/.test(slug) ? "post" : slug;
}

/**
 * The first of slug, slug-1, slug-2 … that is free.
 * @param isTaken asks the database; what it throws aborts the search.
 */
export async function findFreeSlug(
  title: string,
  isTaken: (candidate: string) => Promise<boolean>,
): Promise<string> {
  const slug = slugify(title);
  for (let suffix = 0; ; suffix++) {
    const candidate = suffix === 0 ? slug : `${slug}-${suffix}`;
    if (!reserved.has(candidate) && !(await isTaken(candidate))) return candidate;
  }
}
