/** The slug of a title; "post" when no character remains, as for 退職計画. */
export function slugify(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^\w-]/g, "");
  return /^-*$/.test(slug) ? "post" : slug;
}

/** Whether the slug was generated from the title. Its number has at most two digits; a longer one, such as a year, was typed. */
export function isGeneratedSlug(slug: string, title: string): boolean {
  const generated = slugify(title);
  if (!slug.startsWith(generated)) return false;
  return /^(-[1-9]\d?)?$/.test(slug.slice(generated.length));
}

/**
 * The slug to save a post under, without a number that makes it free. A generated one follows the title only when that
 * changed.
 * @param typed the title and slug of the form; an empty slug is generated
 * @param row what is stored of the post; null for a new one
 */
export function wantedSlug(typed: Titled, row: Titled | null): string {
  if (typed.slug) return typed.slug;
  const isKept = row?.title === typed.title && isGeneratedSlug(row.slug, row.title);
  return isKept ? row.slug : slugify(typed.title);
}

interface Titled {
  title: string;
  slug: string;
}
