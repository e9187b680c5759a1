import type { Client } from "../../supabase/client-context.ts";
import { kindOf } from "./kinds.ts";

/** These addresses below /blog belong to other pages: the editor, categories and previews. */
const reservedSlugs = new Set(["new", "category", "preview"]);

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

interface Wanted {
  id: string;
  isPage: boolean;
  slug: string;
}

/** The first free slug for a post. @throws SlugCheckError */
export function findFreeSlug(client: Client, { id, isPage, slug }: Wanted): Promise<string> {
  return firstFreeSlug(slug, async (candidate) => {
    const { error } = await client
      .from(kindOf(isPage).table)
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
  wanted: Wanted,
  save: (slug: string) => Promise<{ error: (Error & { code?: string }) | null }>,
): Promise<void> {
  const uniqueViolation = "23505";
  for (let attempt = 1; ; attempt++) {
    const { error } = await save(await findFreeSlug(client, wanted));
    if (!error) return;
    if (error.code !== uniqueViolation || attempt === 5) throw error;
  }
}
