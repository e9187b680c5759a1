// The address of a post. Two rules make it unique: the browser looks for a free one, and the database has a unique index. A
// post that the schedule publishes gets its number from private.free_slug.
import { isDuplicate } from "../../../supabase/functions/_shared/api-errors.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Kind } from "./kinds.ts";

/** These addresses below /blog belong to other pages: the editor, categories and previews. */
const reservedSlugs = new Set(["new", "category", "preview"]);

/** Removes the characters that a slug can't have, while it is typed. */
export function toSlugCharacters(text: string): string {
  return text.replace(/\s/g, "-").replace(/[^\w-]/g, "");
}

/** The save was aborted because the database could not tell whether a slug is free. */
export class SlugCheckError extends Error {}

/** Asks the database whether another post has a slug. @throws SlugCheckError */
export function slugCheck(client: Client, { id, kind }: { id: string; kind: Kind }) {
  return async (slug: string): Promise<boolean> => {
    const others = client.from(kind.names).select("slug").eq("slug", slug).neq("id", id);
    const { error } = await others.single();
    if (!error) return true;
    if (error.code === "PGRST116") return false;
    throw new SlugCheckError("Error checking slug uniqueness.", { cause: error });
  };
}

/**
 * Saves under the first of slug, slug-1, slug-2 … that is free. When another window takes it after the check, the unique
 * index rejects the save, and the next one is tried.
 * @throws what `isTaken` throws, or the error of `save`
 */
export async function saveWithFreeSlug(
  slug: string,
  isTaken: (candidate: string) => Promise<boolean>,
  save: (free: string) => Promise<{ error: (Error & { code?: string }) | null }>,
): Promise<void> {
  for (let suffix = 0; ; suffix++) {
    const candidate = suffix === 0 ? slug : `${slug}-${suffix}`;
    if (reservedSlugs.has(candidate) || (await isTaken(candidate))) continue;
    const { error } = await save(candidate);
    if (!error) return;
    if (!isDuplicate(error.code) || !error.message.includes("_slug_")) throw error;
  }
}
