// Reads the list of posts in every state, as the URL requests it.

import { z } from "zod";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { type ListPage, loadPage } from "../../loading/load-page.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient, readPublicSettings } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { type ListSearch, readSearch, searchUrl } from "../list-search.ts";
import { kindOf } from "./kinds.ts";

/** The filters of the SQL function search_managed_posts. */
export const filterLabels = {
  all: "All",
  published: "Published",
  scheduled: "Scheduled",
  draft: "Drafts",
  waiting: "Waiting for approval",
  deleted: "Deleted",
};
export type PostFilter = keyof typeof filterLabels;
export const postFilters = keysOf(filterLabels);

export interface PostSearch extends ListSearch<PostFilter> {
  /** "YYYY-MM", or empty for all months. */
  month: string;
  /** Whether the list has pages of the owner's own instead of posts. */
  isPage: boolean;
}

export function searchOf(urlQuery: string, isPage: boolean): PostSearch {
  const month = new URLSearchParams(urlQuery).get("month") ?? "";
  return {
    ...readSearch(urlQuery, postFilters),
    isPage,
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : "",
  };
}

/** The URL of a search's first page. */
export function searchPath({ filter, query, month, isPage }: Omit<PostSearch, "page">): string {
  return searchUrl(kindOf(isPage).list, { filter, q: query, month });
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
  /** Whether a draft with changes is stored. */
  has_draft: z.boolean(),
  /** Why a scheduled post could not be published. */
  failure: z.nullable(z.string()),
  /** Whether it came with the site. */
  is_sample: z.boolean(),
  /** Of a published page. */
  place: z.nullable(z.string()),
  position: z.nullable(z.number()),
  hidden: z.boolean(),
});
export type ManagedPost = z.infer<typeof managedPostSchema>;

const foundSchema = z.object({
  rows: z.array(managedPostSchema),
  /** The number of posts in each filter that match the query. */
  counts: z.record(z.enum(postFilters), z.number().default(0)),
  /** The months that have posts, newest first. */
  months: z.array(z.string()),
});

export type ManagedPostList = ListPage<ManagedPost> & z.infer<typeof foundSchema>;

/** Loads a page of the list with this browser's session. */
export async function loadManagedPosts(search: PostSearch): Promise<Result<ManagedPostList>> {
  const { filter, query, month, page, isPage } = search;
  const { timeZone } = readPublicSettings();
  return tryLoading("posts", async () => {
    const client = await getBrowserClient();
    let found = foundSchema.parse({ rows: [], counts: {}, months: [] });
    const list = await loadPage(
      async (first, count) => {
        const { data } = await client
          .rpc("search_managed_posts", {
            ...{ pages: isPage, query, filter, month, time_zone: timeZone, first, count },
          })
          .throwOnError();
        found = foundSchema.parse(data);
        return found.rows;
      },
      async () => found.counts[filter],
      { size: 20 },
      page,
    );
    return { ...found, ...list };
  });
}

/** @returns how many posts or pages wait for approval. @throws the backend's error */
export async function countWaiting(client: Client, pages: boolean): Promise<number> {
  const search = { query: "", filter: "waiting", month: "", time_zone: "UTC", first: 0, count: 0 };
  const { data } = await client.rpc("search_managed_posts", { ...search, pages }).throwOnError();
  return foundSchema.parse(data).counts.waiting;
}
