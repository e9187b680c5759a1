import { withVersion } from "../config/image-address.ts";
import type { Paging } from "../loading/load-page.ts";
import type { VisitorClient } from "../supabase/client-context.ts";
import type { Database } from "../supabase/database.ts";

export type Post = Omit<
  Database["public"]["Tables"]["posts"]["Row"],
  "is_sample" | "draft_version"
>;

/** The columns that a card shows. Lists are sent without the posts' text. */
export type PostSummary = Pick<
  Post,
  "id" | "slug" | "title" | "category" | "author" | "image_url" | "alt" | "published_date"
>;

/** The blog's pages: full rows of two and of three, below the wide post that opens the first page. */
export const blogPaging: Paging = { size: 24, extra: 1 };

export const postsError = "The articles can't be shown right now.";

export async function listNewestPosts(
  client: VisitorClient,
  count: number,
): Promise<PostSummary[]> {
  return (await listPosts(client, 0, count)).map(toSummary);
}

/** Newest first, each image with its version. A hosted project returns at most 1,000. */
export async function listPosts(
  client: VisitorClient,
  first: number,
  count: number,
): Promise<Post[]> {
  // All fields, on the server and in the browser. The server sends only the columns of a card to the browser.
  const { data } = await client
    .from("posts")
    .select("*")
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + count - 1)
    .throwOnError();
  return data.map(withVersionedImage);
}

export async function countPosts(client: VisitorClient): Promise<number> {
  const posts = client.from("posts").select("id", { count: "exact", head: true });
  return (await posts.throwOnError()).count ?? 0;
}

/** Reads posts with one of these categories as `listPosts` does. @throws the backend's error */
export async function listCategoryPosts(
  client: VisitorClient,
  categories: string[],
  first: number,
  count: number,
): Promise<Post[]> {
  const selected = { categories, first, count };
  const { data } = await client.rpc("list_category_posts", selected).throwOnError();
  return data.map(withVersionedImage);
}

type PostAddress = Pick<Post, "slug" | "updated_at">;

/** Reads the addresses of all posts, oldest first, in pages. */
export async function listPostAddresses(client: VisitorClient): Promise<PostAddress[]> {
  const addresses: PostAddress[] = [];
  for (;;) {
    const { data } = await client
      .from("posts")
      .select("slug, updated_at")
      .order("created_at")
      .order("id")
      .range(addresses.length, addresses.length + 999)
      .throwOnError();
    // A project may return fewer rows than requested, so only an empty page is the end.
    if (data.length === 0) return addresses;
    addresses.push(...data);
  }
}

export function toSummary(post: PostSummary): PostSummary {
  const { id, slug, title, category, author, image_url, alt, published_date } = post;
  return { id, slug, title, category, author, image_url, alt, published_date };
}

export function withVersionedImage(post: Post): Post {
  return { ...post, image_url: withVersion(post.image_url, post.updated_at ?? post.created_at) };
}

export function generatedAlt(title: string): string {
  return `Blog post image for ${title}`;
}
