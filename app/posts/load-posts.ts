import { loadPage, type PageRequest, type PageState } from "../paging/load-page.ts";
import type { Client } from "../supabase/client-context.ts";
import { listPosts, type PostSummary, toSummary } from "./posts.ts";

/** One page of the list, or that it could not be read. */
export interface PostList extends PageState {
  posts: PostSummary[];
}

/** A page of the blog: whole rows of two and of three, below the wide post that opens the first. */
export function blogPage(page: number): PageRequest {
  return { page, size: 24, extra: 1 };
}

/** How many pages the blog has; at least 1. */
export function countPostPages(posts: number): number {
  const { size, extra = 0 } = blogPage(1);
  return Math.max(1, Math.ceil((posts - extra) / size));
}

/** What stands where posts would, when they could not be read. */
export const postsError = "The articles can't be shown right now.";

/** Reads a page of the list. A failure is logged and kept as the list's state (section 8). */
export async function loadPosts(
  client: Client | Promise<Client>,
  request: PageRequest,
): Promise<PostList> {
  const read = async (first: number, count: number) => listPosts(await client, first, count);
  const { rows, ...state } = await loadPage(read, request, "posts");
  return { posts: rows.map(toSummary), ...state };
}
