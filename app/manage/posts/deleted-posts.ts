// Deleting what was never published, and restoring what was deleted.
import { z } from "zod";
import type { Client } from "../../supabase/client-context.ts";
import { removeStoredImage, restoreStoredImage } from "../image-storage.ts";

const restoredSchema = z.nullable(
  z.object({ state: z.enum(["published", "draft"]), id: z.string(), slug: z.optional(z.string()) }),
);
export type RestoredPost = NonNullable<z.infer<typeof restoredSchema>>;

const imagesSchema = z.object({
  image_url: z.nullish(z.string()),
  content: z.array(z.looseObject({ src: z.optional(z.string()) }).catch({})).catch([]),
});

/** The addresses of the images in the featured image and the text of a post, draft or version. */
export function imagesOf(document: unknown): Set<string> {
  const { image_url, content } = imagesSchema.parse(document);
  const urls = [image_url, ...content.map(({ src }) => src)];
  return new Set(urls.filter((url) => url !== null && url !== undefined));
}

/**
 * Deletes a draft or scheduled post. It can be restored for 30 days.
 * @throws Error when another window changed it meanwhile, or the backend's error
 */
export async function deleteUnpublishedPost(client: Client, id: string): Promise<void> {
  await client.rpc("unschedule_post", { post_id: id }).throwOnError();
  const { data: draft } = await client
    .from("post_drafts")
    .select("image_url, content, updated_at")
    .eq("id", id)
    .maybeSingle()
    .throwOnError();
  const { data: isDeleted } = draft
    ? await client
        .rpc("discard_draft", { draft_id: id, seen_version: draft.updated_at })
        .throwOnError()
    : { data: false };
  if (!isDeleted) throw new Error("The draft was changed or published in another window.");
  for (const url of imagesOf(draft)) await removeStoredImage(url);
}

/**
 * Puts back a post that was deleted in the last 30 days, its images first: visitors never see the post without them.
 * @returns null when it was restored or removed meanwhile
 * @throws the backend's error
 */
export async function restorePost(client: Client, id: string): Promise<RestoredPost | null> {
  const { data: version } = await client
    .from("post_versions")
    .select("document")
    .eq("post_id", id)
    .order("id", { ascending: false })
    .limit(1)
    .maybeSingle()
    .throwOnError();
  if (!version) return null;
  for (const url of imagesOf(version.document)) await restoreStoredImage(client, url);
  const { data } = await client.rpc("restore_deleted_post", { deleted_id: id }).throwOnError();
  return restoredSchema.parse(data);
}
