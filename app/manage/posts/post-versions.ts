// The history of a post. The database writes it (migration of the drafts); nobody changes it.
import { z } from "zod";
import { parseBlocks } from "../../posts/blocks.tsx";
import { generatedTagline } from "../../posts/post-content.ts";
import type { Client } from "../../supabase/client-context.ts";
import { versionsPerPage } from "../version-list.tsx";
import { blocksToText } from "./marked-blocks.ts";
import type { PostDraft } from "./post-schema.ts";

const text = z.string().catch("");

/** What a version holds of a post. Versions of earlier releases lack later columns. */
export const postDocumentSchema = z.object({
  title: text,
  tagline: text,
  category: text,
  author: text,
  slug: text,
  alt: text,
  image_url: z.nullable(z.string()).catch(null),
  content: z.json().catch([]),
  related_services: z.array(z.object({ slug: z.string() })).catch([]),
});
export type PostDocument = z.infer<typeof postDocumentSchema>;

export interface PostVersion {
  id: number;
  event: "draft" | "scheduled" | "published" | "deleted";
  savedAt: string;
  savedBy: string | null;
}

const versionSchema = z.object({
  id: z.number(),
  event: z.enum(["draft", "scheduled", "published", "deleted"]),
  saved_at: z.string(),
  saved_by: z.nullable(z.string()),
});

/**
 * Reads versions without their texts, newest first; one more than `versionsPerPage` when there are more.
 * @param first how many newer versions to skip
 * @throws the backend's error
 */
export async function listPostVersions(
  client: Client,
  postId: string,
  first: number,
): Promise<PostVersion[]> {
  const { data } = await client
    .from("post_versions")
    .select("id, event, saved_at, saved_by")
    .eq("post_id", postId)
    .order("id", { ascending: false })
    .range(first, first + versionsPerPage)
    .throwOnError();
  return z
    .array(versionSchema)
    .parse(data)
    .map(({ saved_at, saved_by, ...version }) => ({
      ...version,
      savedAt: saved_at,
      savedBy: saved_by,
    }));
}

/** @throws the backend's error */
export async function readPostVersion(client: Client, id: number): Promise<PostDocument> {
  const { data } = await client
    .from("post_versions")
    .select("document")
    .eq("id", id)
    .single()
    .throwOnError();
  return postDocumentSchema.parse(data.document);
}

/** A version as text, to compare it with another one. */
export function versionText({ title, category, tagline, content }: PostDocument): string {
  const ownTagline = tagline === generatedTagline(title) ? "" : tagline;
  return [title, category, ownTagline, blocksToText(parseBlocks(content))]
    .filter(Boolean)
    .join("\n\n");
}

/** What is typed as text, to compare it with a version. */
export function draftText({ title, category, tagline, text }: PostDraft): string {
  return [title, category, tagline, text].filter(Boolean).join("\n\n");
}
