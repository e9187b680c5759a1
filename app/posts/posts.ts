import type { Client } from "../supabase/client-context.ts";
import type { Database } from "../supabase/database.ts";
import { withVersion } from "./image-url.ts";

export type Post = Database["public"]["Tables"]["posts"]["Row"];

/** What a card shows. Pages send this and not the text of every post. */
export type PostSummary = Pick<
  Post,
  "id" | "slug" | "title" | "category" | "author" | "image_url" | "alt"
>;

/**
 * Reads posts, newest first, each image with its version (section 7).
 * @param first how many newer posts to skip
 * @param count how many to read; a hosted project never answers with more than 1,000
 * @throws the backend's error.
 */
export async function listPosts(client: Client, first: number, count: number): Promise<Post[]> {
  const { data, error } = await client
    .from("posts")
    .select("*")
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + count - 1);
  if (error) throw error;
  return data.map(withVersionedImage);
}

/** Where a post is and when it last changed. */
export type PostAddress = Pick<Post, "slug" | "updated_at">;

/**
 * Reads the addresses of all posts, oldest first, in as many requests as the project wants.
 * @throws the backend's error.
 */
export async function listPostAddresses(client: Client): Promise<PostAddress[]> {
  const addresses: PostAddress[] = [];
  for (;;) {
    const { data, error } = await client
      .from("posts")
      .select("slug, updated_at")
      .order("created_at")
      .order("id")
      .range(addresses.length, addresses.length + 999);
    if (error) throw error;
    // A project may answer with fewer rows than were asked for: only none is the end.
    if (data.length === 0) return addresses;
    addresses.push(...data);
  }
}

/** Reads one post. @returns null when no post has that slug. @throws the backend's error. */
export async function getPostBySlug(client: Client, slug: string): Promise<Post | null> {
  const { data, error } = await client.from("posts").select("*").eq("slug", slug).maybeSingle();
  if (error) throw error;
  return data && withVersionedImage(data);
}

/** The post of an address, where it moved to when that is a former slug, or null. */
export type FoundPost = Post | { movedTo: string } | null;

/**
 * Reads the post that an address names, following a former slug to the post's present one.
 * @throws the backend's error.
 */
export async function findPost(client: Client, slug: string): Promise<FoundPost> {
  const post = await getPostBySlug(client, slug);
  if (post) return post;
  const former = await client.from("post_slugs").select("post_id").eq("slug", slug).maybeSingle();
  if (former.error) throw former.error;
  if (!former.data) return null;
  const { data, error } = await client
    .from("posts")
    .select("slug")
    .eq("id", former.data.post_id)
    .maybeSingle();
  if (error) throw error;
  return data && { movedTo: data.slug };
}

/**
 * Reads what one could read after a post: the three newest others, and of them no more than a card
 * shows. @returns null after a failure, which is logged: the post itself does not depend on it.
 */
export async function listNextPosts(client: Client, slug: string): Promise<PostSummary[] | null> {
  const { data, error } = await client
    .from("posts")
    .select("id, slug, title, category, author, image_url, alt, updated_at, created_at")
    .neq("slug", slug)
    .order("created_at", { ascending: false })
    .order("id")
    .limit(3);
  if (error) {
    console.error("Loading posts failed", error);
    return null;
  }
  return data.map(({ updated_at, created_at, ...summary }) => ({
    ...summary,
    image_url: withVersion(summary.image_url, updated_at ?? created_at),
  }));
}

export function toSummary(post: Post): PostSummary {
  const { id, slug, title, category, author, image_url, alt } = post;
  return { id, slug, title, category, author, image_url, alt };
}

function withVersionedImage(post: Post): Post {
  return { ...post, image_url: withVersion(post.image_url, post.updated_at ?? post.created_at) };
}
