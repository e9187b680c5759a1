import { type ListPage, loadPage } from "../../loading/load-page.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { withOwnChange } from "../../supabase/live.ts";
import { countRows, numberOnly } from "../count-rows.ts";

export type StoredTestimonial = Database["public"]["Tables"]["testimonials"]["Row"];

/** Which testimonials a page lists. */
export type Approval = "waiting" | "approved";

export interface TestimonialList {
  list: ListPage<StoredTestimonial>;
  counts: Record<Approval, number>;
}

/** Loads a page of the waiting or the approved testimonials, newest first, with this browser's session. */
export async function loadTestimonialList(
  approval: Approval,
  page: number,
): Promise<Result<TestimonialList>> {
  return tryLoading("testimonials", async () => {
    const client = await getBrowserClient();
    const all = client.from("testimonials").select("*");
    const shown =
      approval === "waiting" ? all.is("approved_at", null) : all.not("approved_at", "is", null);
    const [list, waiting, approved] = await Promise.all([
      loadPage(
        async (first, count) => {
          const rows = shown
            .order("created_at", { ascending: false })
            .order("id")
            .range(first, first + count - 1);
          return (await rows.throwOnError()).data;
        },
        { size: 20 },
        page,
      ),
      countRows(client.from("testimonials").select("id", numberOnly).is("approved_at", null)),
      countRows(
        client.from("testimonials").select("id", numberOnly).not("approved_at", "is", null),
      ),
    ]);
    if (approval === "approved") void markSeen(client, list.rows);
    return { list, counts: { waiting, approved } };
  });
}

/** How many of the newest reviews went on the site at once and have not been seen in the list (markSeen). */
export async function countNewTestimonials(client: Client): Promise<number> {
  const { data } = await client
    .from("testimonials")
    .select("created_at, approved_at")
    .is("is_sample", false)
    .order("created_at", { ascending: false })
    .limit(100)
    .throwOnError();
  return data.filter(isNew).length;
}

/** Such a review was approved when it was written. */
function isNew(row: Pick<StoredTestimonial, "created_at" | "approved_at">): boolean {
  return row.created_at === row.approved_at;
}

/** Notes that these reviews were seen in the list. Those that somebody has hidden meanwhile stay hidden. */
export async function markSeen(client: Client, rows: readonly StoredTestimonial[]): Promise<void> {
  const ids = rows.filter((row) => !row.is_sample && isNew(row)).map(({ id }) => id);
  if (ids.length === 0) return;
  const { error } = await client
    .from("testimonials")
    .update({ approved_at: new Date().toISOString() })
    .in("id", ids)
    .not("approved_at", "is", null);
  if (error) console.error("Marking new reviews as seen failed", error);
}

/** Shows a testimonial on the site, or refuses it. @throws the backend's error, or an Error when no row was changed */
export async function setApproved(client: Client, id: string, approved: boolean): Promise<void> {
  const now = new Date().toISOString();
  await withOwnChange(id, async () => {
    const { data } = await client
      .from("testimonials")
      .update(
        approved
          ? { approved_at: now, refused_at: null, refusal_reason: null }
          : { approved_at: null, refused_at: now, refusal_reason: "unverified" },
      )
      .eq("id", id)
      .select("id")
      .throwOnError();
    // A policy that blocks a change returns no error and no rows.
    if (data.length === 0)
      throw new Error("The review was not found, or this account may not change it.");
  });
}
