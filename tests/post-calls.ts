// A post that can be published, scheduled and submitted, and the arguments of the functions that do so.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";

export type NewPost = ReturnType<typeof newPost>;

export function newPost(changes: Record<string, unknown> = {}) {
  const id: string = randomUUID();
  return {
    ...{ id, slug: id, title: "Naming a guardian", tagline: "Who", category: "Family" },
    ...{ author: "Ed", content: [{ type: "paragraph", text: "Ask first." }], alt: "Two chairs" },
    ...{ image_url: "/images/posts/old-oak.svg", related_services: [{ slug: "annuities" }] },
    ...changes,
  };
}

export function later(milliseconds = 3_600_000): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

/** Stores a draft. @returns its id and its version, `updated_at` */
export async function storeDraft(
  client: SupabaseClient,
  values: object,
): Promise<{ id: string; updated_at: string }> {
  const draft = client.from("post_drafts").upsert(values).select("id, updated_at");
  return (await draft.single().throwOnError()).data;
}

/** Arguments of schedule_post: for the next hour, unless the post has a time. */
export function scheduling(post: object, seen: object = {}) {
  const timed = JSON.stringify({ published_date: later(), ...post });
  return { post: timed, seen_version: null, draft_version: null, ...seen };
}

/** Arguments of decide_post, of a person who is signed in and approves. */
export function decision(submission: unknown, changes: object = {}) {
  const noLink = { preview_token: null, name: null, email: null };
  return { submission, is_approved: true, comment: "", ...noLink, ...changes };
}

/** Arguments of restore_post_version, without a draft that it would replace. */
export function restoring<Id>(version_id: Id, seen_version: string | null = null) {
  return { version_id, seen_version, base_version: null };
}

/** Arguments of search_managed_posts. */
export function managedSearch(search: object = {}) {
  return {
    ...{ pages: false, query: "", filter: "all", month: "", time_zone: "UTC" },
    ...{ first: 0, count: 200, ...search },
  };
}

/** Arguments of submit_post. */
export function submitting(post: object, draft_version: string | null = null) {
  return { post: JSON.stringify(post), draft_version };
}
