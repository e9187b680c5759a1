import { slugify } from "../../posts/slugify.ts";
import type { Client } from "../../supabase/client-context.ts";

/** Segments below /blog that are pages of the site, or the start of their addresses. */
const reservedSlugs = new Set(["new", "category", "preview"]);

/** Whether the slug is the one of the title, perhaps with a number. */
export function isGeneratedSlug(slug: string, title: string): boolean {
  const generated = slugify(title);
  if (!slug.startsWith(generated)) return false;
  return /^(-\d+)?$/.test(slug.slice(generated.length));
}

/** Removes the characters that a slug can't have, while it is typed. */
export function toSlugCharacters(text: string): string {
  return text.replace(/\s/g, "-").replace(/[^\w-]/g, "");
}

/**
 * The first free one of slug, slug-1, slug-2 …
 * @throws what `isTaken` throws
 */
export async function findFreeSlug(
  slug: string,
  isTaken: (candidate: string) => Promise<boolean>,
): Promise<string> {
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
  wanted: string,
  save: (slug: string) => Result<T>,
): Promise<T> {
  const uniqueViolation = "23505";
  for (let attempt = 1; ; attempt++) {
    const slug = await findFreeSlugFor(client, id, wanted);
    const result = await save(slug);
    if (!result.error) return result.data;
    if (result.error.code !== uniqueViolation || attempt === 5) throw result.error;
  }
}

/**
 * The first free slug for a post.
 * @throws SlugCheckError
 */
export function findFreeSlugFor(client: Client, id: string, wanted: string): Promise<string> {
  return findFreeSlug(wanted, (candidate) => isSlugTaken(client, candidate, id));
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
