// Preview links: who has one reads the draft or scheduled post without an account, until the database ends the link: with
// its publication, its draft or its maker.
import type { Client } from "../../supabase/client-context.ts";

export interface PreviewLink {
  token: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** The link of a post; null when there is none or it has expired. @throws the backend's error */
export async function readPreviewLink(client: Client, postId: string): Promise<PreviewLink | null> {
  const { data } = await client
    .from("post_previews")
    .select("token, expires_at")
    .eq("post_id", postId)
    .maybeSingle()
    .throwOnError();
  if (!data || Date.parse(data.expires_at) <= Date.now()) return null;
  return { token: data.token, expiresAt: data.expires_at };
}

/**
 * Creates a link, or returns the one that another window created.
 * @throws the backend's error
 */
export async function createPreviewLink(client: Client, postId: string): Promise<PreviewLink> {
  const current = await readPreviewLink(client, postId);
  if (current) return current;
  // An expired one.
  await revokePreviewLink(client, postId);
  const { data } = await client
    .from("post_previews")
    .insert({ post_id: postId })
    .select("token, expires_at")
    .single()
    .throwOnError();
  return { token: data.token, expiresAt: data.expires_at };
}

/** @throws the backend's error */
export async function revokePreviewLink(client: Client, postId: string): Promise<void> {
  await client.from("post_previews").delete().eq("post_id", postId).throwOnError();
}
