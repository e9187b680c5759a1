import { type ListPage, loadPage } from "../../loading/load-page.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { withOwnChange } from "../../supabase/live.ts";

export type StoredTestimonial = Database["public"]["Tables"]["testimonials"]["Row"];

/** Which testimonials a page lists. */
export type Approval = "waiting" | "approved";

export interface TestimonialList {
  list: ListPage<StoredTestimonial>;
  counts: Record<Approval, number>;
}

/** Loads a page of the waiting or the approved testimonials with this browser's session. */
export async function loadTestimonialList(
  approval: Approval,
  page: number,
): Promise<Result<TestimonialList>> {
  return tryLoading("testimonials", async () => {
    const client = await getBrowserClient();
    const [list, waiting, approved] = await Promise.all([
      loadPage(
        (first, count) => listTestimonials(client, approval, first, count),
        { size: 20 },
        page,
      ),
      countTestimonials(client, "waiting"),
      countTestimonials(client, "approved"),
    ]);
    return { list, counts: { waiting, approved } };
  });
}

/**
 * Reads testimonials, newest first. Policies hide waiting ones from everyone but owners and assistants.
 * @param first how many newer ones to skip
 * @param count how many to read; a hosted project returns at most 1,000
 * @throws the backend's error
 */
async function listTestimonials(
  client: Client,
  approval: Approval,
  first: number,
  count: number,
): Promise<StoredTestimonial[]> {
  const all = client.from("testimonials").select("*");
  const some =
    approval === "waiting" ? all.is("approved_at", null) : all.not("approved_at", "is", null);
  const { data, error } = await some
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + count - 1);
  if (error) throw error;
  return data;
}

/** @throws the backend's error */
export async function countTestimonials(client: Client, approval: Approval): Promise<number> {
  const all = client.from("testimonials").select("*", { count: "exact", head: true });
  const { count, error } = await (approval === "waiting"
    ? all.is("approved_at", null)
    : all.not("approved_at", "is", null));
  if (error) throw error;
  return count ?? 0;
}

/** Shows a testimonial on the site, or hides it. @throws the backend's error, or an Error when no row was changed */
export async function setApproved(client: Client, id: string, approved: boolean): Promise<void> {
  await withOwnChange(id, async () => {
    const { data, error } = await client
      .from("testimonials")
      .update({ approved_at: approved ? new Date().toISOString() : null })
      .eq("id", id)
      .select("id");
    if (error) throw error;
    // A policy that blocks a change returns no error, only no rows.
    if (data.length === 0)
      throw new Error("The review was not found, or this account may not change it.");
  });
}
