// What the overview counts.
import type { SectionName } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";
import { countRows, numberOnly } from "../count-rows.ts";

export function countUnread(client: Client): Promise<number> {
  return countRows(
    client
      .from("contact_messages")
      .select("id", numberOnly)
      .is("read_at", null)
      .is("deleted_at", null),
  );
}

/** Messages whose email to the recipients failed for good. */
export function countFailedMails(client: Client): Promise<number> {
  return countRows(
    client
      .from("contact_messages")
      .select("id", numberOnly)
      .eq("status", "failed")
      .is("deleted_at", null),
  );
}

/** Scheduled posts that could not be published at their time. */
export function countFailedPosts(client: Client): Promise<number> {
  return countRows(
    client.from("scheduled_posts").select("id", numberOnly).not("failure", "is", null),
  );
}

/** New posts, and scheduled or published ones with changes that are not public. */
export function countDraftPosts(client: Client): Promise<number> {
  return countRows(client.from("post_drafts").select("id", numberOnly));
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
