// Reads the list of posts in every state, as the URL requests it.

import { z } from "zod";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import type { ListPage } from "../../loading/load-page.ts";
import { readPublicSettings } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { type ListSearch, loadFound, readSearch, searchUrl } from "../list-search.ts";
import { type Kind, kinds } from "./kinds.ts";

/** The filters of the SQL function search_managed_posts. */
export const postFilters = {
  all: "All",
  published: "Published",
  scheduled: "Scheduled",
  draft: "Drafts",
  waiting: "Waiting for approval",
  deleted: "Deleted",
};
export type PostFilter = keyof typeof postFilters;

export interface PostSearch extends ListSearch<PostFilter> {
  /** "YYYY-MM", or empty for all months. */
  month: string;
  kind: Kind;
}

export function searchOf(urlQuery: string, kind: Kind): PostSearch {
  const month = new URLSearchParams(urlQuery).get("month") ?? "";
  return {
    ...readSearch(urlQuery, postFilters),
    kind,
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : "",
  };
}

export function searchPath({ filter, query, month, kind }: Omit<PostSearch, "page">): string {
  return searchUrl(kind.list, { filter, q: query, month });
}

const managedPostSchema = z.object({
  id: z.string(),
  state: z.enum(["published", "scheduled", "draft", "deleted"]),
  slug: z.string(),
  title: z.string(),
  category: z.string(),
  author: z.string(),
  /** The time at which the post was published, is scheduled, was saved last or was deleted. */
  date: z.string(),
  has_draft: z.boolean(),
  failure: z.nullable(z.string()),
  is_sample: z.boolean(),
  image_url: z.nullable(z.string()),
  /** Of a published page. */
  place: z.nullable(z.string()),
  hidden: z.boolean(),
});
export type ManagedPost = z.infer<typeof managedPostSchema>;

const foundSchema = z.object({
  rows: z.array(managedPostSchema),
  counts: z.record(z.enum(keysOf(postFilters)), z.number().default(0)),
  /** The months that have posts, newest first. */
  months: z.array(z.string()),
});

export type ManagedPostList = ListPage<ManagedPost> &
  z.infer<typeof foundSchema> & { search: PostSearch };

export async function readManagedPosts(
  client: Client,
  search: PostSearch,
): Promise<ManagedPostList> {
  const { timeZone } = readPublicSettings();
  const read = (first: number, count: number) => find(client, search, timeZone, first, count);
  return { search, ...(await loadFound(read, ({ counts }) => counts[search.filter], search.page)) };
}

/** The newest posts that are scheduled or have a draft. */
export async function readUnfinishedPosts(client: Client, count: number): Promise<ManagedPost[]> {
  const filters = ["scheduled", "draft"] as const;
  const found = await Promise.all(
    filters.map((filter) =>
      find(client, { query: "", filter, month: "", kind: kinds.post }, "UTC", 0, count),
    ),
  );
  const posts = new Map(found.flatMap(({ rows }) => rows).map((post) => [post.id, post]));
  return [...posts.values()].sort((a, b) => b.date.localeCompare(a.date)).slice(0, count);
}

/** Where a post, or page, is edited. */
export function editPath(kind: Kind, { state, slug, id }: ManagedPost): string {
  return state === "published" ? kind.edit(slug) : `${kind.create}?draft=${id}`;
}

/** Counts the posts, or pages, of a filter. */
export async function countPosts(client: Client, filter: PostFilter, kind: Kind): Promise<number> {
  const search = { query: "", filter, month: "", kind };
  return (await find(client, search, "UTC", 0, 0)).counts[filter];
}

async function find(
  client: Client,
  { filter, query, month, kind }: Omit<PostSearch, "page" | "filter"> & { filter: string },
  time_zone: string,
  first: number,
  count: number,
) {
  const search = { kind: kind.name, query, filter, month, time_zone, first, count };
  const { data } = await client.rpc("search_managed_posts", search).throwOnError();
  return foundSchema.parse(data);
}
