// What only the pages of a post read. Not in posts.ts, which the home page loads too.
import { posts } from "../../supabase/functions/_shared/database-limits.ts";
import type { VisitorClient } from "../supabase/client-context.ts";
import { listPosts, type Post, type PostSummary, toSummary, withVersionedImage } from "./posts.ts";

/** @returns null when no post has that slug. @throws the backend's error */
export async function getPostBySlug(client: VisitorClient, slug: string): Promise<Post | null> {
  const { data } = await client
    .from("posts")
    .select("*")
    .eq("slug", slug)
    .maybeSingle()
    .throwOnError();
  return data && withVersionedImage(data);
}

/** The post with a slug, its current slug when the requested one is a former slug, or null. */
type FoundPost = Post | { movedTo: string } | null;

/** Finds a post by its slug or by a former slug. */
export async function findPost(client: VisitorClient, slug: string): Promise<FoundPost> {
  // The embedded backend rejects filters with very long values.
  if (slug.length > posts.slug) return null;
  const post = await getPostBySlug(client, slug);
  if (post) return post;
  const former = await client
    .from("post_slugs")
    .select("post_id")
    .eq("slug", slug)
    .maybeSingle()
    .throwOnError();
  if (!former.data) return null;
  const { data } = await client
    .from("posts")
    .select("slug")
    .eq("id", former.data.post_id)
    .maybeSingle()
    .throwOnError();
  return data && { movedTo: data.slug };
}

export async function listNextPosts(client: VisitorClient, slug: string): Promise<PostSummary[]> {
  const newest = await listPosts(client, 0, 4);
  return newest
    .filter((post) => post.slug !== slug)
    .slice(0, 3)
    .map(toSummary);
}
