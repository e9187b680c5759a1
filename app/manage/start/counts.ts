// What the overview counts. Only numbers are transferred, so that it works for any number of rows.
import type { SectionName } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";

type Counted = { count: number | null; error: Error | null };

async function countOf(query: PromiseLike<Counted>): Promise<number> {
  const { count, error } = await query;
  if (error) throw error;
  return count ?? 0;
}

/** `select` options for a number without rows. */
const numberOnly = { count: "exact", head: true } as const;

export function countMessages(client: Client): Promise<number> {
  return countOf(client.from("contact_messages").select("id", numberOnly).is("deleted_at", null));
}

export function countUnread(client: Client): Promise<number> {
  return countOf(
    client
      .from("contact_messages")
      .select("id", numberOnly)
      .is("read_at", null)
      .is("deleted_at", null),
  );
}

/** Messages whose e-mail to the recipients failed for good. */
export function countFailedMails(client: Client): Promise<number> {
  return countOf(
    client
      .from("contact_messages")
      .select("id", numberOnly)
      .eq("status", "failed")
      .is("deleted_at", null),
  );
}

export function countPosts(client: Client): Promise<number> {
  return countOf(client.from("posts").select("id", numberOnly));
}

/** Scheduled posts that could not be published at their time. */
export function countFailedPosts(client: Client): Promise<number> {
  return countOf(
    client.from("scheduled_posts").select("id", numberOnly).not("failure", "is", null),
  );
}

/** New posts, and scheduled or published ones with changes that are not public. */
export function countDraftPosts(client: Client): Promise<number> {
  return countOf(client.from("post_drafts").select("id", numberOnly));
}

export function countTestimonials(client: Client): Promise<number> {
  return countOf(client.from("testimonials").select("id", numberOnly));
}

/** The sections of the settings with changes that are not published. */
export async function listDraftSections(client: Client): Promise<SectionName[]> {
  const { data, error } = await client
    .from("site_settings_drafts")
    .select("section")
    .order("section");
  if (error) throw error;
  // A foreign key allows only the names of sections.
  return data.map(({ section }) => section as SectionName);
}
