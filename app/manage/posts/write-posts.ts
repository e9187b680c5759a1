import type { Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import { withOwnChange } from "../../supabase/live.ts";
import { removeStoredImage } from "../images/image-storage.ts";
import { imagesOf } from "./deleted-posts.ts";
import {
  NewerVersionError,
  readPostDraft,
  removePostDraft,
  saveDraftVersion,
} from "./post-drafts.ts";
import type { PostInput } from "./post-schema.ts";
import { saveWithFreeSlug } from "./slug.ts";

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
    saveWithFreeSlug(client, id, input.slug, (slug) =>
      client
        .from("posts")
        .upsert({
          ...input,
          slug,
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
 * Saves an edited post.
 * @param seenVersion `updated_at` of the edited version; null overwrites any version
 * @throws SlugCheckError, NewerVersionError, NoRowError or the backend's error
 */
export async function updatePost(
  client: Client,
  post: Pick<Post, "id" | "slug">,
  input: PostInput,
  seenVersion: string | null,
): Promise<void> {
  const { id } = post;
  const save = (slug: string) => {
    const changes = { ...input, slug, updated_at: new Date().toISOString() };
    const query = client.from("posts").update(changes).eq("id", id);
    return (seenVersion ? query.eq("updated_at", seenVersion) : query).select("id").maybeSingle();
  };
  await withOwnChange(id, async () => {
    const saved =
      input.slug === post.slug
        ? (await save(post.slug).throwOnError()).data
        : await saveWithFreeSlug(client, id, input.slug, save);
    if (saved) return;
    const { data } = await client.from("posts").select("id").eq("id", id).maybeSingle();
    throw data && seenVersion ? new NewerVersionError() : new NoRowError();
  });
}

/**
 * Deletes a post, then its image. If the post was already gone there is no image to remove. A draft of
 * changes to it goes too; its text stays in the history.
 * @throws NoRowError when no row was deleted, or the backend's error
 */
export async function deletePost(client: Client, id: string): Promise<void> {
  const before = await client.from("posts").select("image_url").eq("id", id).single();
  if (before.error && before.error.code !== "PGRST116") throw before.error;
  const draft = await readPostDraft(client, id);
  // Before the deletion, which must be the newest version to be restored.
  if (draft) await saveDraftVersion(client, id);
  const deleted = await withOwnChange(id, async () => {
    const { data, error } = await client.from("posts").delete().eq("id", id).select("id, content");
    if (error) throw error;
    if (!data[0]) throw new NoRowError();
    return data[0];
  });
  if (draft) await removePostDraft(client, id, draft.updated_at);
  const images = imagesOf({ image_url: before.data?.image_url, content: deleted.content });
  for (const url of images) await removeStoredImage(url);
}
