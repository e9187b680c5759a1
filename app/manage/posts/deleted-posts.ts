// Deleting what was never published, and restoring what was deleted.
import { parseBlocks } from "../../posts/blocks.tsx";
import type { Client } from "../../supabase/client-context.ts";
import { removeStoredImage, restoreStoredImage } from "../image-storage.ts";
import { readPostDraft } from "./post-drafts.ts";
import { postDocumentSchema } from "./post-versions.ts";

export const deletingPost =
  "This action cannot be undone. This will permanently delete this post. A copy of its text and images stays under Posts, Deleted for 30 days.";
export const deletingDraft =
  "This deletes the draft. You can restore it under Posts, Deleted for 30 days.";

/** The addresses of the images that a post, draft or version shows, above and in its text. */
export function imagesOf(post: { image_url?: string | null; content: unknown }): Set<string> {
  const inText = parseBlocks(post.content).flatMap((block) =>
    block.type === "image" ? [block.src] : [],
  );
  return new Set(post.image_url ? [post.image_url, ...inText] : inText);
}

/**
 * Deletes a draft or scheduled post. It can be restored for 30 days.
 * @throws Error when another window changed it meanwhile, or the backend's error
 */
export async function deleteUnpublishedPost(client: Client, id: string): Promise<void> {
  await client.rpc("unschedule_post", { post_id: id }).throwOnError();
  const draft = await readPostDraft(client, id);
  const { data: isDeleted } = draft
    ? await client
        .rpc("discard_draft", { draft_id: id, seen_version: draft.updated_at })
        .throwOnError()
    : { data: false };
  if (!draft || !isDeleted)
    throw new Error("The draft was changed or published in another window.");
  for (const url of imagesOf(draft)) await removeStoredImage(url);
}

/**
 * Makes a draft of a post that was deleted in the last 30 days, its images first: a draft names stored images only.
 * @returns false when it was restored or removed meanwhile
 * @throws the backend's error
 */
export async function restorePost(client: Client, id: string): Promise<boolean> {
  const { data: version } = await client
    .from("post_versions")
    .select("document")
    .eq("post_id", id)
    .order("id", { ascending: false })
    .limit(1)
    .maybeSingle()
    .throwOnError();
  if (!version) return false;
  const deleted = postDocumentSchema.parse(version.document);
  for (const url of imagesOf(deleted)) await restoreStoredImage(client, url);
  const { data } = await client.rpc("restore_deleted_post", { deleted_id: id }).throwOnError();
  return data;
}
