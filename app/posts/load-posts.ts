import type { Client } from "../supabase/client-context.ts";
import { listPosts, type PostSummary, toSummary } from "./posts.ts";

/** The list of posts, or that it could not be read: an error is a state with a face. */
export interface PostList {
  posts: PostSummary[];
  failed: boolean;
}

/** Reads the list for a page. A failure is logged and kept as the list's state (section 8). */
export async function loadPosts(client: Client, limit?: number): Promise<PostList> {
  try {
    const posts = await listPosts(client, limit);
    return { posts: posts.map(toSummary), failed: false };
  } catch (error) {
    console.error("Loading posts failed", error);
    return { posts: [], failed: true };
  }
}
