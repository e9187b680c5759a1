import { projectUrl } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import type { Database, Json } from "../supabase/database.ts";
import { withOwnChange } from "../supabase/live.ts";
import type { Block } from "./blocks.ts";
import { generatedAlt } from "./generated-alt.ts";
import { imagePathOf } from "./image-path.ts";
import { removeImage } from "./image-upload.ts";
import { withoutVersion } from "./image-url.ts";
import type { Post } from "./posts.ts";
import { findFreeSlug } from "./slug.ts";

/** What the owner decides about a post. */
export interface PostInput {
  title: string;
  category: string;
  content: readonly Block[];
  image_url: string | null;
  related_services: readonly { slug: string }[];
}

/** The save was stopped because the database could not say whether a slug is free (section 8). */
export class SlugCheckError extends Error {}

/** Someone saved the post after it was opened here; nothing was overwritten. */
export class NewerVersionError extends Error {}

/** The row was not there, or the policies did not let this account touch it. */
export class NoRowError extends Error {}

type PostInsert = Database["public"]["Tables"]["posts"]["Insert"];

/**
 * Publishes a post.
 * @param id of the new post. Publishing again with the same id, after an answer was lost, makes no
 * second post.
 * @returns the stored row.
 * @throws SlugCheckError or the backend's error.
 */
export async function createPost(
  client: Client,
  id: string,
  input: PostInput,
  author: string,
): Promise<Post> {
  const now = new Date().toISOString();
  const stored = await withOwnChange(id, () =>
    withFreeSlug(client, id, input.title, (slug) =>
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
  return stored;
}

/**
 * Saves an edited post. The slug follows the title only when that changed (section 5).
 * @param seenVersion `updated_at` of the version that was edited; null overwrites whatever is there.
 * @throws SlugCheckError, NewerVersionError, NoRowError or the backend's error.
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
      ? await withFreeSlug(client, id, input.title, save)
      : await unwrap(save(post.slug));
    if (saved) return;
    const { data } = await client.from("posts").select("id").eq("id", id).maybeSingle();
    throw data && seenVersion ? new NewerVersionError() : new NoRowError();
  });
}

/**
 * Deletes a post, then its image (section 7). A post that is gone already has no image to remove.
 * @throws NoRowError when no row was deleted, or the backend's error.
 */
export async function deletePost(client: Client, id: string): Promise<void> {
  const before = await client.from("posts").select("image_url").eq("id", id).single();
  if (before.error && before.error.code !== "PGRST116") throw before.error;
  await withOwnChange(id, async () => {
    const { data, error } = await client.from("posts").delete().eq("id", id).select("id");
    if (error) throw error;
    if (data.length === 0) throw new NoRowError();
  });
  await removeStoredImage(before.data?.image_url ?? null);
}

/** Removes the file of an address when it lies in our bucket. A failure is only logged. */
export async function removeStoredImage(imageUrl: string | null): Promise<void> {
  const path = imagePathOf(imageUrl, projectUrl());
  if (path) await removeImage(path);
}

function toRow({ image_url, content, related_services, ...rest }: PostInput, slug: string) {
  return {
    ...rest,
    slug,
    content: content as unknown as Json,
    image_url: withoutVersion(image_url),
    related_services: related_services as unknown as Json,
  } satisfies Partial<PostInsert>;
}

/** Section 9. */
function generatedTexts(title: string) {
  return {
    tagline: `An insightful article about ${title}`,
    alt: generatedAlt(title),
  };
}

type Answer<T> = PromiseLike<{ data: T; error: null } | { data: null; error: { code: string } }>;

async function unwrap<T>(answer: Answer<T>): Promise<T> {
  const { data, error } = await answer;
  if (error) throw error;
  return data as T;
}

/** Two editors can find the same slug free: the unique index decides, and the loser takes the next. */
async function withFreeSlug<T>(
  client: Client,
  id: string,
  title: string,
  save: (slug: string) => Answer<T>,
): Promise<T> {
  const uniqueViolation = "23505";
  for (let attempt = 1; ; attempt++) {
    const slug = await findFreeSlug(title, (candidate) => isSlugTaken(client, candidate, id));
    const { data, error } = await save(slug);
    if (!error) return data as T;
    if (error.code !== uniqueViolation || attempt === 5) throw error;
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
