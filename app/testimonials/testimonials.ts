import { type ListPage, loadPage, type Paging } from "../loading/load-page.ts";
import type { VisitorClient } from "../supabase/client-context.ts";
import type { Database } from "../supabase/database.ts";
import { sampleTestimonials } from "./sample-testimonials.ts";

type Row = Database["public"]["Tables"]["testimonials"]["Row"];
/** The columns that samples have, too. */
export type Testimonial = Partial<Row> &
  Pick<Row, "id" | "name" | "content" | "rating" | "created_at">;

/**
 * The stored testimonials of each page: full rows of three, on the first page with the samples.
 * @param hasSamples whether the samples are shown
 */
export function testimonialPaging(hasSamples: boolean): Paging {
  return { size: 24, extra: hasSamples ? -sampleTestimonials.length : 0 };
}

export const testimonialsError = "The reviews can't be shown right now.";

export async function readTestimonials(
  client: VisitorClient,
  hasSamples: boolean,
  page: number,
): Promise<ListPage<Testimonial>> {
  return loadPage(
    (first, count) => listTestimonials(client, hasSamples, first, count),
    async () => (await countTestimonials(client, hasSamples)).count,
    testimonialPaging(hasSamples),
    page,
  );
}

/**
 * Reads approved testimonials: those that the owner shows first, then the newest. Policies hide the others from visitors, not from owners and assistants.
 * @param hasSamples whether the stored samples are among them
 */
export async function listTestimonials(
  client: VisitorClient,
  hasSamples: boolean,
  first: number,
  count: number,
): Promise<Testimonial[]> {
  const approved = client.from("testimonials").select("*").not("approved_at", "is", null);
  const { data } = await (hasSamples ? approved : approved.is("is_sample", false))
    .order("pin")
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + count - 1)
    .throwOnError();
  return data;
}

/** How many testimonials are approved, and when the newest was created. @throws the backend's error */
export async function countTestimonials(
  client: VisitorClient,
  hasSamples: boolean,
): Promise<{ count: number; newest: string | null }> {
  const all = client.from("testimonials").select("created_at", { count: "exact" });
  const approved = all.not("approved_at", "is", null);
  const { data, count } = await (hasSamples ? approved : approved.is("is_sample", false))
    .order("created_at", { ascending: false })
    .limit(1)
    .throwOnError();
  return { count: count ?? 0, newest: data[0]?.created_at ?? null };
}

/** The samples, then the stored testimonials, the first with each id. */
export function withSamples(hasSamples: boolean, stored: readonly Testimonial[]): Testimonial[] {
  const all = hasSamples ? [...sampleTestimonials, ...stored] : stored;
  const ids = new Set<string>();
  return all.filter(({ id }) => !ids.has(id) && ids.add(id));
}

/** Whether a testimonial is a sample, which cannot be deleted. */
export function isSample({ id }: Pick<Testimonial, "id">): boolean {
  return id.startsWith("static-");
}
