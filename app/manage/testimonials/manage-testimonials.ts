import { type ListPage, loadPage } from "../../loading/load-page.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { type ConsentRecord, readConsents } from "../consent-records.tsx";
import { countRows, numberOnly, rowsOf } from "../count-rows.ts";
import { withOwnChange } from "../live-query.ts";
import type { RefusalReason } from "./refusal-reasons.ts";

type Tables = Database["public"]["Tables"];
export type StoredTestimonial = Tables["testimonials"]["Row"];

export const decisions = { waiting: "Waiting", approved: "On the site", refused: "Refused" };
export type Decision = keyof typeof decisions;

/** How many a page of the list has. */
export const listSize = 20;

/** The list is split by these. What was deleted is not counted. */
export const testimonialFilters = { ...decisions, deleted: "Deleted" };
export type TestimonialCounts = Record<keyof typeof testimonialFilters, number>;

export async function countTestimonials(client: Client): Promise<TestimonialCounts> {
  const count = (of: Decision) => countRows(decided(client, of, numberOnly));
  const [waiting, approved, refused] = await Promise.all([
    count("waiting"),
    count("approved"),
    count("refused"),
  ]);
  return { waiting, approved, refused, deleted: 0 };
}

export interface TestimonialList {
  decision: Decision;
  list: ListPage<StoredTestimonial>;
  counts: TestimonialCounts;
  /** To the publication of these testimonials. */
  consents: readonly ConsentRecord[];
}

export async function readTestimonialList(
  client: Client,
  decision: Decision,
  page: number,
): Promise<TestimonialList> {
  const [list, counts] = await Promise.all([
    loadPage(
      async (first, size) => {
        // Without a count: PostgREST then responds with 416 beyond the end.
        const all = decided(client, decision);
        // As visitors see them.
        const rows = (decision === "approved" ? all.order("pin") : all)
          .order("created_at", { ascending: false })
          .order("id")
          .range(first, first + size - 1);
        return (await rows.throwOnError()).data;
      },
      () => countRows(decided(client, decision, numberOnly)),
      { size: listSize },
      page,
    ),
    countTestimonials(client),
  ]);
  if (decision === "approved") void markSeen(client, list.rows);
  const ids = list.rows.map(({ id }) => id);
  const { rows: consents } = await readConsents(client, "publish", 0, ids.length, ids);
  return { decision, list, counts, consents };
}

function decided(client: Client, decision: Decision, options?: typeof numberOnly) {
  const all = client.from("testimonials").select("*", options);
  return decision === "waiting"
    ? all.is("approved_at", null).is("refused_at", null)
    : all.not(`${decision}_at`, "is", null);
}

/** How many testimonials went on the site at once and have not been seen in the list (markSeen). */
export function countNewTestimonials(client: Client): Promise<number> {
  const shown = rowsOf(client, "testimonials").not("approved_at", "is", null);
  return countRows(shown.is("seen_at", null).is("is_sample", false));
}

export async function markSeen(client: Client, rows: readonly StoredTestimonial[]): Promise<void> {
  const ids = rows.filter((row) => !row.is_sample && !row.seen_at).map(({ id }) => id);
  if (ids.length === 0) return;
  const seen = { seen_at: new Date().toISOString() };
  const { error } = await client.from("testimonials").update(seen).in("id", ids);
  if (error) console.error("Marking new testimonials as seen failed", error);
}

/**
 * Deletes a testimonial. With a reason it is refused first, so that the decisions have the reason.
 * @throws the backend's error, or an Error when no row was deleted, because a policy blocks without an error
 */
export async function removeTestimonial(
  client: Client,
  id: string,
  reason: RefusalReason | null,
): Promise<void> {
  const isDeleted = reason
    ? (await client.rpc("delete_testimonial", { id, reason }).throwOnError()).data
    : (await client.from("testimonials").delete().eq("id", id).select("id").throwOnError()).data
        .length > 0;
  if (!isDeleted)
    throw new Error("The testimonial was not found, or this account may not delete it.");
}

type Change = Tables["testimonials"]["Update"];

export function decisionOf(reason: RefusalReason | null): Change {
  const now = new Date().toISOString();
  return {
    approved_at: reason ? null : now,
    refused_at: reason ? now : null,
    refusal_reason: reason,
  };
}

/**
 * Decides about a testimonial, or changes the firm's statement or reply.
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
        ? `Somebody else has ${decided} this testimonial meanwhile.`
        : "The testimonial was not found, or this account may not change it.",
    );
  });
}
