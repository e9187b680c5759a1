import { type ListPage, loadPage } from "../../loading/load-page.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { withOwnChange } from "../../supabase/live.ts";
import { countRows } from "../count-rows.ts";
import type { RefusalReason } from "./refusal-reasons.ts";

type Tables = Database["public"]["Tables"];
export type StoredTestimonial = Tables["testimonials"]["Row"];
export type Consent = Tables["consents"]["Row"];

/** What was decided about a testimonial. */
export const decisions = ["waiting", "approved", "refused"] as const;
export type Decision = (typeof decisions)[number];

export interface TestimonialList {
  list: ListPage<StoredTestimonial>;
  counts: Record<Decision, number>;
  /** To the publication of these testimonials. */
  consents: readonly Consent[];
}

/** Loads a page of the testimonials with this decision, newest first, with this browser's session. */
export async function loadTestimonialList(
  decision: Decision,
  page: number,
): Promise<Result<TestimonialList>> {
  return tryLoading("testimonials", async () => {
    const client = await getBrowserClient();
    const count = (of: Decision) => countRows(decided(client, of).limit(1));
    const [list, waiting, approved, refused] = await Promise.all([
      loadPage(
        async (first, size) => {
          const rows = decided(client, decision)
            .order("created_at", { ascending: false })
            .order("id")
            .range(first, first + size - 1);
          return (await rows.throwOnError()).data;
        },
        { size: 20 },
        page,
      ),
      count("waiting"),
      count("approved"),
      count("refused"),
    ]);
    if (decision === "approved") void markSeen(client, list.rows);
    const ids = list.rows.map(({ id }) => id);
    const given = client.from("consents").select("*").eq("kind", "publish").in("subject_id", ids);
    const { data: consents } = await given.throwOnError();
    return { list, counts: { waiting, approved, refused }, consents };
  });
}

function decided(client: Client, decision: Decision) {
  const all = client.from("testimonials").select("*", { count: "exact" });
  return decision === "waiting"
    ? all.is("approved_at", null).is("refused_at", null)
    : all.not(`${decision}_at`, "is", null);
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

type Change = Tables["testimonials"]["Update"];

/** Refuses a testimonial for a reason, or shows it on the site. */
export function decisionOf(reason: RefusalReason | null): Change {
  const now = new Date().toISOString();
  return {
    approved_at: reason ? null : now,
    refused_at: reason ? now : null,
    refusal_reason: reason,
  };
}

/**
 * Decides about a testimonial, answers it, or changes its disclosure.
 * @param seen the testimonial as the list shows it
 * @throws the backend's error, or an Error when somebody else has decided meanwhile, or no row was changed
 */
export async function changeTestimonial(
  client: Client,
  seen: Pick<StoredTestimonial, "id" | "approved_at" | "refused_at">,
  change: Change,
): Promise<void> {
  const { id } = seen;
  await withOwnChange(id, async () => {
    const { data } = await client
      .from("testimonials")
      .update(change)
      .eq("id", id)
      .filter("approved_at", seen.approved_at ? "not.is" : "is", null)
      .filter("refused_at", seen.refused_at ? "not.is" : "is", null)
      .select("id")
      .throwOnError();
    if (data.length > 0) return;
    const row = client.from("testimonials").select("*").eq("id", id).maybeSingle();
    const { data: now } = await row.throwOnError();
    const decided = (["approved", "refused"] as const).find(
      (each) => now?.[`${each}_at`] && !seen[`${each}_at`],
    );
    throw new Error(
      decided
        ? `Somebody else has ${decided} this review meanwhile.`
        : "The review was not found, or this account may not change it.",
    );
  });
}
