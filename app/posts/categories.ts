import type { VisitorClient } from "../supabase/client-context.ts";
import { slugify } from "./slugify.ts";

/** What the posts with one category slug have in common: their page, `/blog/category/{slug}`. */
export interface Category {
  slug: string;
  /** The most frequent of its names. */
  name: string;
  /** As stored in posts: several can have the same slug, such as "Taxes" and "taxes". */
  names: string[];
  count: number;
  /** ISO 8601, of the newest change of its posts. */
  changedAt: string;
}

interface StoredCategory {
  category: string;
  posts: number;
  changed_at: string;
}

export function categoryPath(name: string): string {
  return `/blog/category/${slugify(name)}`;
}

/** Categories with the same slug share a page. @param stored the most frequent first */
export function groupCategories(stored: readonly StoredCategory[]): Category[] {
  const bySlug = new Map<string, Category>();
  for (const { category: name, posts, changed_at } of stored) {
    const slug = slugify(name);
    const known = bySlug.get(slug);
    if (!known) {
      bySlug.set(slug, { slug, name, names: [name], count: posts, changedAt: changed_at });
      continue;
    }
    known.names.push(name);
    known.count += posts;
    if (Date.parse(changed_at) > Date.parse(known.changedAt)) known.changedAt = changed_at;
  }
  return [...bySlug.values()].sort((a, b) => b.count - a.count);
}

/** All categories, the most frequent first. @throws the backend's error */
export async function listCategories(client: VisitorClient): Promise<Category[]> {
  const { data } = await client.rpc("list_post_categories").throwOnError();
  // The columns of a function are typed as nullable. These are computed from columns that are not null.
  return groupCategories(data as StoredCategory[]);
}
