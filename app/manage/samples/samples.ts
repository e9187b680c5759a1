import { z } from "zod";
import type { Client } from "../../supabase/client-context.ts";
import type { Json } from "../../supabase/database.ts";

const schema = z.object({
  posts: z.number(),
  edited_posts: z.number(),
  testimonials: z.number(),
  shows_samples: z.boolean().nullable(),
  removed: z.number(),
  removed_at: z.string().nullable(),
});

export interface SampleContent {
  /** Stored sample posts, including edited ones. */
  posts: number;
  editedPosts: number;
  /** Stored sample testimonials, without the five of the site itself. */
  testimonials: number;
  /** Whether those five are shown; null when that setting was never published. */
  showsSamples: boolean | null;
  /** Rows that can be put back. */
  removed: number;
  /** When samples were last removed; null when nothing can be put back. */
  removedAt: string | null;
}

/** Counts the sample content. @throws the backend's error, also for everyone but owners */
export async function readSamples(client: Client): Promise<SampleContent> {
  return parse(await client.rpc("sample_content"));
}

/**
 * Removes the sample posts and testimonials; `restoreSamples` puts them back for 30 days.
 * @param current what the site shows of testimonials, for a site that has not published these settings
 * @param includeEdited whether sample posts that were edited are removed, too
 * @throws the backend's error
 */
export async function removeSamples(
  client: Client,
  current: { lead: string; samples: boolean },
  includeEdited = false,
): Promise<SampleContent> {
  return parse(
    await client.rpc("remove_sample_content", {
      include_edited: includeEdited,
      shows_samples: current.samples,
      shown_lead: current.lead,
    }),
  );
}

/** Puts the removed samples back. @throws the backend's error */
export async function restoreSamples(client: Client): Promise<SampleContent> {
  return parse(await client.rpc("restore_sample_content"));
}

function parse({ data, error }: { data: Json | null; error: Error | null }): SampleContent {
  if (error) throw error;
  const { edited_posts, shows_samples, removed_at, ...counts } = schema.parse(data);
  return {
    ...counts,
    editedPosts: edited_posts,
    showsSamples: shows_samples,
    removedAt: removed_at,
  };
}
