import type { Client } from "../supabase/client-context.ts";
import { listPosts, type PostSummary, toSummary } from "./posts.ts";

/** One page of the list, or that it could not be read: an error is a state with a face. */
export interface PostList {
  posts: PostSummary[];
  /** 1 for the newest posts. */
  page: number;
  /** Whether older posts follow. */
  hasNext: boolean;
  failed: boolean;
}

/** Posts on a page of the blog: whole rows of three. */
export const postsPerPage = 24;

/** How many pages the blog has; at least 1. */
export function countPostPages(posts: number): number {
  return Math.max(1, Math.ceil(posts / postsPerPage));
}

interface PageRequest {
  page: number;
  /** Posts a page. */
  size: number;
}

/** Reads a page of the list. A failure is logged and kept as the list's state (section 8). */
export async function loadPosts(client: Client, { page, size }: PageRequest): Promise<PostList> {
  try {
    // One more than is shown tells whether there is a next page.
    const posts = await listPosts(client, (page - 1) * size, size + 1);
    const shown = posts.slice(0, size).map(toSummary);
    return { posts: shown, page, hasNext: posts.length > size, failed: false };
  } catch (error) {
    console.error("Loading posts failed", error);
    return { posts: [], page, hasNext: false, failed: true };
  }
}
