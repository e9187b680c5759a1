import { loadPage, type PageRequest, type PageState } from "../paging/load-page.ts";
import type { Client } from "../supabase/client-context.ts";
import type { Database } from "../supabase/database.ts";
import { withVersion } from "./image-url.ts";

export type Post = Database["public"]["Tables"]["posts"]["Row"];

/** The columns that a card shows. Lists are sent without the posts' text. */
export type PostSummary = Pick<
  Post,
  "id" | "slug" | "title" | "category" | "author" | "image_url" | "alt"
>;

/** One page of the list of posts. */
export interface PostList extends PageState {
  posts: PostSummary[];
}

/** A page of the blog: full rows of two and of three, below the wide post that opens the first page. */
export function blogPage(page: number): PageRequest {
  return { page, size: 24, extra: 1 };
}

/** How many pages the blog has; at least 1. */
export function countPostPages(posts: number): number {
  const { size, extra = 0 } = blogPage(1);
  return Math.max(1, Math.ceil((posts - extra) / size));
}

/** Shown in place of posts that could not be loaded. */
export const postsError = "The articles can't be shown right now.";

/** Loads a page of the list. A failure is logged and becomes the list's state (section 8). */
export async function loadPosts(
  client: Client | Promise<Client>,
  request: PageRequest,
): Promise<PostList> {
  const read = async (first: number, count: number) => listPosts(await client, first, count);
  const { rows, ...state } = await loadPage(read, request, "posts");
  return { posts: rows.map(toSummary), ...state };
}

/**
 * Reads posts, newest first, each image with its version (section 7).
 * @param first how many newer posts to skip
 * @param count how many to read; a hosted project returns at most 1,000
 * @throws the backend's error
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

/** A post's slug and the time of its last change. */
export type PostAddress = Pick<Post, "slug" | "updated_at">;

/**
 * Reads the addresses of all posts, oldest first, in pages.
 * @throws the backend's error
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
    // A project may return fewer rows than requested, so only an empty page is the end.
    if (data.length === 0) return addresses;
    addresses.push(...data);
  }
}

/** @returns null when no post has that slug. @throws the backend's error */
export async function getPostBySlug(client: Client, slug: string): Promise<Post | null> {
  const { data, error } = await client.from("posts").select("*").eq("slug", slug).maybeSingle();
  if (error) throw error;
  return data && withVersionedImage(data);
}

/** The post with a slug, its current slug when the requested one is a former slug, or null. */
export type FoundPost = Post | { movedTo: string } | null;

/**
 * Finds a post by its slug or by a former slug.
 * @throws the backend's error
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
 * Reads the three newest other posts, to show below a post.
 * @returns null after a failure, which is logged: the post itself does not depend on them
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

function toSummary({ id, slug, title, category, author, image_url, alt }: Post): PostSummary {
  return { id, slug, title, category, author, image_url, alt };
}

function withVersionedImage(post: Post): Post {
  return { ...post, image_url: withVersion(post.image_url, post.updated_at ?? post.created_at) };
}

/** The alt text of a post's image (section 9). */
export function generatedAlt(title: string): string {
  return `Blog post image for ${title}`;
}
