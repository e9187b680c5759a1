import { slugify } from "../../posts/slugify.ts";
import type { Client } from "../../supabase/client-context.ts";

/** Segments below /blog that are pages of the site, or the start of their addresses. */
const reservedSlugs = new Set(["new", "category"]);

/**
 * The first free one of slug, slug-1, slug-2 …
 * @throws what `isTaken` throws
 */
export async function findFreeSlug(
  title: string,
  isTaken: (candidate: string) => Promise<boolean>,
): Promise<string> {
  const slug = slugify(title);
  for (let suffix = 0; ; suffix++) {
    const candidate = suffix === 0 ? slug : `${slug}-${suffix}`;
    if (!reservedSlugs.has(candidate) && !(await isTaken(candidate))) return candidate;
  }
}

/** The save was aborted because the database could not tell whether a slug is free (section 8). */
export class SlugCheckError extends Error {}

export type Result<T> = PromiseLike<
  { data: T; error: null } | { data: null; error: { code: string } }
>;

/**
 * Saves a post under a free slug. Two editors can find the same slug free: the unique index rejects one
 * of them, which then tries the next slug.
 * @throws SlugCheckError or the backend's error
 */
export async function saveWithFreeSlug<T>(
  client: Client,
  id: string,
  title: string,
  save: (slug: string) => Result<T>,
): Promise<T> {
  const uniqueViolation = "23505";
  for (let attempt = 1; ; attempt++) {
    const slug = await findFreeSlug(title, (candidate) => isSlugTaken(client, candidate, id));
    const result = await save(slug);
    if (!result.error) return result.data;
    if (result.error.code !== uniqueViolation || attempt === 5) throw result.error;
  }
}

async function isSlugTaken(client: Client, slug: string, id: string): Promise<boolean> {
  const { error } = await client
    .from("posts")
    .select("slug")
    .eq("slug", slug)
    .neq("id", id)
    .single();
  if (!error) return true;
  if (error.code === "PGRST116") return false;
  throw new SlugCheckError("Error checking slug uniqueness.", { cause: error });
}
