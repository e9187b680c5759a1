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

/** The kind and thing of a post or page, and its document as JSON. */
export function thingOf({ id, ...document }: Record<string, unknown>, kind = "post") {
  return { kind, thing: String(id), document: JSON.stringify(document) };
}

/** Arguments of save_draft for something new. */
export function saving(draft: Record<string, unknown>, changes: object = {}) {
  return { ...thingOf(draft), base: null, replaced: null, ...changes };
}

/** Stores a draft of changes to the current version, in place of the stored one. @returns its id and its version, `saved_at` */
export async function storeDraft(
  client: SupabaseClient,
  values: Record<string, unknown>,
  kind = "post",
): Promise<{ id: string; saved_at: string }> {
  const id = String(values.id);
  const stored = client.from("drafts").select("saved_at").eq("kind", kind).eq("thing", id);
  const replaced = (await stored.maybeSingle().throwOnError()).data?.saved_at ?? null;
  const args = saving(values, { kind, replaced, base: await currentVersion(client, id, kind) });
  const { data: saved_at } = await client.rpc("save_draft", args).throwOnError();
  return { id, saved_at };
}

/** The number of the version that is scheduled or public; null for something new or deleted. */
async function currentVersion(client: SupabaseClient, id: string, kind: string) {
  const versions = client.from("versions").select("number, event").eq("kind", kind).eq("thing", id);
  const events = ["scheduled", "published", "unpublished", "deleted"];
  const newest = versions.in("event", events).order("number", { ascending: false }).limit(1);
  const { data } = await newest.maybeSingle().throwOnError();
  return data && data.event !== "deleted" ? data.number : null;
}

/** Arguments of schedule: for the next hour, unless the post has a time. */
export function scheduling(post: Record<string, unknown>, changes: object = {}) {
  const { published_date: at = later(), ...words } = post;
  return { ...thingOf(words), at, replaced: null, draft: null, ...changes };
}

/** Arguments of decide, of a person who is signed in and approves. */
export function decision(submission: unknown, changes: object = {}) {
  const noLink = { preview_token: null, name: null, email: null };
  return { submission, is_approved: true, comment: "", ...noLink, ...changes };
}

/** The arguments of `restore` for a version whose post has no draft. */
export function restoring<Id>(version: Id, replaced: string | null = null) {
  return { version, replaced };
}

/** Arguments of search_managed_posts. */
export function managedSearch(search: object = {}) {
  return {
    ...{ kind: "post", query: "", filter: "all", month: "", time_zone: "UTC" },
    ...{ first: 0, count: 200, ...search },
  };
}

/** Arguments of submit. */
export function submitting(
  post: Record<string, unknown>,
  draft: string | null = null,
  kind = "post",
) {
  return { ...thingOf(post, kind), draft };
}
