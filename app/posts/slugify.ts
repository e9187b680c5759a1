/** The slug of a title; "post" when no character remains, as for 退職計画. */
export function slugify(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^\w-]/g, "");
  return /^-*$/.test(slug) ? "post" : slug;
}
