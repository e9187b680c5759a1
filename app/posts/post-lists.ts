// The lists of posts: all, and those that a search or a category selects.
import { withVersion } from "../config/image-address.ts";
import { type ListPage, loadPage } from "../loading/load-page.ts";
import { cleanQuery } from "../loading/search-query.ts";
import type { VisitorClient } from "../supabase/client-context.ts";
import { formatNumber } from "../ui/slider-field.tsx";
import type { Category } from "./categories.ts";
import { excerptOf } from "./post-content.ts";
import {
  blogPaging,
  countPosts,
  listCategoryPosts,
  listPosts,
  type Post,
  type PostSummary,
  toSummary,
} from "./posts.ts";

/** The page size, with full rows of two and of three. */
const searchPaging = { size: 24 };

/** A post in a list. The first one, which may be shown wide, has its excerpt. */
export type ListedPost = PostSummary & { excerpt?: string };

interface FoundPosts extends ListPage<ListedPost> {
  found: number;
}

type Card = PostSummary & Pick<Post, "updated_at">;

export async function readPosts(
  client: VisitorClient,
  page: number,
): Promise<ListPage<ListedPost>> {
  const read = async (first: number, count: number) =>
    (await listPosts(client, first, count)).map(toListed);
  return loadPage(read, () => countPosts(client), blogPaging, page);
}

/** The search that a URL's query requests with `?q=`; empty for none. */
export function queryOf(search: string): string {
  return cleanQuery(new URLSearchParams(search).get("q") ?? "");
}

export function searchPath(query: string): string {
  return query ? `/blog?${new URLSearchParams({ q: query })}` : "/blog";
}

export async function searchPosts(
  client: VisitorClient,
  query: string,
  page: number,
): Promise<FoundPosts> {
  let found = 0;
  const read = async (first: number, count: number) => {
    const { data } = await client.rpc("search_posts", { query, first, count }).throwOnError();
    found = data[0]?.found ?? 0;
    // The columns of a function are typed as nullable. These have the types of the columns of posts.
    return (data as Card[]).map(toCard);
  };
  const countFound = async () => {
    await read(0, 1);
    return found;
  };
  return { ...(await loadPage(read, countFound, searchPaging, page)), found };
}

export interface CategoryPosts {
  category: Category;
  list: ListPage<ListedPost>;
}

/** @returns null when no post has a category with this slug */
export async function readCategoryPosts(
  client: VisitorClient,
  categories: readonly Category[],
  slug: string,
  page: number,
): Promise<CategoryPosts | null> {
  const category = categories.find((each) => each.slug === slug);
  if (!category) return null;
  const read = async (first: number, count: number) =>
    (await listCategoryPosts(client, category.names, first, count)).map(toListed);
  const list = await loadPage(read, async () => category.count, blogPaging, page);
  return { category, list };
}

function toListed(post: Post, index: number): ListedPost {
  const summary = toSummary(post);
  return index === 0 ? { ...summary, excerpt: excerptOf(post) } : summary;
}

function toCard(row: Card): PostSummary {
  return toSummary({ ...row, image_url: withVersion(row.image_url, row.updated_at) });
}

export function countArticles(count: number): string {
  if (count === 0) return "No articles";
  return count === 1 ? "1 article" : `${formatNumber(count)} articles`;
}
