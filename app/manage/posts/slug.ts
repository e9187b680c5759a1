import { slugify } from "../../posts/slugify.ts";
import type { Client } from "../../supabase/client-context.ts";

/** Segments below /blog that are pages of the site, or the start of their addresses. */
const reservedSlugs = new Set(["new", "category", "preview"]);

/** Whether the slug is the one of the title, perhaps with a number of at most two digits: a year is the writer's. */
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

/** The save was aborted because the database could not tell whether a slug is free. */
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
