import { z } from "zod";
import type { Client } from "../../supabase/client-context.ts";

const schema = z.object({
  /** The number of stored sample posts, including edited ones. */
  posts: z.number(),
  edited_posts: z.number(),
  /** The number of stored sample testimonials, without the five built-in ones. */
  testimonials: z.number(),
  /** Whether the five built-in ones are shown; null when that setting was never published. */
  shows_samples: z.boolean().nullable(),
});

export type SampleContent = z.infer<typeof schema>;

/** Counts the sample content. @throws the backend's error, also for everyone but owners */
export async function readSamples(client: Client): Promise<SampleContent> {
  const { data } = await client.rpc("sample_content").throwOnError();
  return schema.parse(data);
}

/**
 * Deletes the sample posts and testimonials. The posts can be restored for 30 days.
 * @param shown what the site shows of testimonials, for a site that has not published these settings
 * @param options.keepPosts whether the posts become the adviser's own drafts
 */
export async function removeSamples(
  client: Client,
  shown: { lead: string; samples: boolean },
  { includeEdited = false, keepPosts = false } = {},
): Promise<SampleContent> {
  const { data } = await client
    .rpc("remove_sample_content", {
      include_edited: includeEdited,
      shows_samples: shown.samples,
      shown_lead: shown.lead,
      keep_posts: keepPosts,
    })
    .throwOnError();
  return schema.parse(data);
}
