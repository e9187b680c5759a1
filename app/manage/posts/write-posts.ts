import { withoutVersion } from "../../posts/image-url.ts";
import { generatedAlt, type Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { withOwnChange } from "../../supabase/live.ts";
import { removeStoredImage } from "../image-storage.ts";
import { imagesOf } from "./deleted-posts.ts";
import { saveWithFreeSlug } from "./slug.ts";

type PostInsert = Database["public"]["Tables"]["posts"]["Insert"];

/** The columns that the owner edits. */
export type PostInput = Required<
  Pick<PostInsert, "title" | "category" | "content" | "image_url" | "related_services">
>;

/** The post was saved elsewhere after it was opened here. Nothing was overwritten. */
export class NewerVersionError extends Error {}

/** The row does not exist, or policies do not let this account change it. */
class NoRowError extends Error {}

/**
 * Publishes a post.
 * @param id of the new post: publishing again with the same id, after a lost response, adds no second post
 * @throws SlugCheckError or the backend's error
 */
export async function createPost(
  client: Client,
  id: string,
  input: PostInput,
  author: string,
): Promise<void> {
  const now = new Date().toISOString();
  const stored = await withOwnChange(id, () =>
    saveWithFreeSlug(client, id, input.title, (slug) =>
      client
        .from("posts")
        .upsert({
          ...toRow(input, slug),
          ...generatedTexts(input.title),
          id,
          author,
          published_date: now,
          created_at: now,
          updated_at: now,
        })
        .select()
        .maybeSingle(),
    ),
  );
  if (!stored) throw new NoRowError();
}

/**
 * Saves an edited post. The slug follows the title only when that changed (section 5).
 * @param seenVersion `updated_at` of the edited version; null overwrites any version
 * @throws SlugCheckError, NewerVersionError, NoRowError or the backend's error
 */
export async function updatePost(
  client: Client,
  post: Post,
  input: PostInput,
  seenVersion: string | null,
): Promise<void> {
  const { id } = post;
  const titleChanged = input.title !== post.title;
  const save = (slug: string) => {
    const changes = {
      ...toRow(input, slug),
      ...(titleChanged ? generatedTexts(input.title) : {}),
      updated_at: new Date().toISOString(),
    };
    const query = client.from("posts").update(changes).eq("id", id);
    return (seenVersion ? query.eq("updated_at", seenVersion) : query).select("id").maybeSingle();
  };

  await withOwnChange(id, async () => {
    const saved = titleChanged
      ? await saveWithFreeSlug(client, id, input.title, save)
      : (await save(post.slug).throwOnError()).data;
    if (saved) return;
    const { data } = await client.from("posts").select("id").eq("id", id).maybeSingle();
    throw data && seenVersion ? new NewerVersionError() : new NoRowError();
  });
}

/**
 * Deletes a post, then its image (section 7). If the post was already gone there is no image to remove.
 * @throws NoRowError when no row was deleted, or the backend's error
 */
export async function deletePost(client: Client, id: string): Promise<void> {
  const before = await client.from("posts").select("image_url").eq("id", id).single();
  if (before.error && before.error.code !== "PGRST116") throw before.error;
  const deleted = await withOwnChange(id, async () => {
    const { data, error } = await client.from("posts").delete().eq("id", id).select("id, content");
    if (error) throw error;
    if (!data[0]) throw new NoRowError();
    return data[0];
  });
  const images = imagesOf({ image_url: before.data?.image_url, content: deleted.content });
  for (const url of images) await removeStoredImage(url);
}

function toRow(input: PostInput, slug: string) {
  return { ...input, slug, image_url: withoutVersion(input.image_url) };
}

/** The texts that follow from the title (section 9). */
function generatedTexts(title: string) {
  return { tagline: `An insightful article about ${title}`, alt: generatedAlt(title) };
}
