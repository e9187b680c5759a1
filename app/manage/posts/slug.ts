import { slugify } from "../../posts/slugify.ts";
import type { Client } from "../../supabase/client-context.ts";

/** These addresses below /blog belong to other pages: the editor, categories and previews. */
const reservedSlugs = new Set(["new", "category", "preview"]);

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

/** Removes the characters that a slug can't have, while it is typed. */
export function toSlugCharacters(text: string): string {
  return text.replace(/\s/g, "-").replace(/[^\w-]/g, "");
}

/** The first free one of slug, slug-1, slug-2 … @throws what `isTaken` throws */
export async function firstFreeSlug(
  slug: string,
  isTaken: (candidate: string) => Promise<boolean>,
): Promise<string> {
  for (let suffix = 0; ; suffix++) {
    const candidate = suffix === 0 ? slug : `${slug}-${suffix}`;
    if (!reservedSlugs.has(candidate) && !(await isTaken(candidate))) return candidate;
  }
}

/** The save was aborted because the database could not tell whether a slug is free. */
export class SlugCheckError extends Error {}

/** The first free slug for a post. @throws SlugCheckError */
export function findFreeSlug(client: Client, id: string, wanted: string): Promise<string> {
  return firstFreeSlug(wanted, async (candidate) => {
    const { error } = await client
      .from("posts")
      .select("slug")
      .eq("slug", candidate)
      .neq("id", id)
      .single();
    if (!error) return true;
    if (error.code === "PGRST116") return false;
    throw new SlugCheckError("Error checking slug uniqueness.", { cause: error });
  });
}

/**
 * Saves a post under a free slug. Two editors can find the same slug free: the unique index rejects one
 * of them, which then tries the next slug.
 * @throws SlugCheckError or the error of `save`
 */
export async function withFreeSlug(
  client: Client,
  id: string,
  wanted: string,
  save: (slug: string) => Promise<{ error: (Error & { code?: string }) | null }>,
): Promise<void> {
  const uniqueViolation = "23505";
  for (let attempt = 1; ; attempt++) {
    const { error } = await save(await findFreeSlug(client, id, wanted));
    if (!error) return;
    if (error.code !== uniqueViolation || attempt === 5) throw error;
  }
}
