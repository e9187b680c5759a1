import { site } from "../config/site.ts";
import type { Client } from "../supabase/client-context.ts";
import type { Database } from "../supabase/database.ts";
import { sampleTestimonials } from "./sample-testimonials.ts";

export type Testimonial = Database["public"]["Tables"]["testimonials"]["Row"];

/** How many stored testimonials the home page reads (section 9). */
export const homeTestimonialCount = 5;

/** How many samples precede the stored testimonials. */
export const sampleCount = site.showSampleTestimonials ? sampleTestimonials.length : 0;

/**
 * Reads stored testimonials, newest first.
 * @param first how many newer ones to skip
 * @param count how many to read; a hosted project returns at most 1,000
 * @throws the backend's error
 */
export async function listTestimonials(
  client: Client,
  first: number,
  count: number,
): Promise<Testimonial[]> {
  const { data, error } = await client
    .from("testimonials")
    .select("*")
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + count - 1);
  if (error) throw error;
  return data;
}

/** How many testimonials are stored, and when the newest was created. @throws the backend's error */
export async function countTestimonials(
  client: Client,
): Promise<{ count: number; newest: string | null }> {
  const { data, count, error } = await client
    .from("testimonials")
    .select("created_at", { count: "exact" })
    .order("created_at", { ascending: false })
    .limit(1);
  if (error) throw error;
  return { count: count ?? 0, newest: data[0]?.created_at ?? null };
}

/** The newest testimonials; none after a failure, which is only logged (section 8). */
export async function listTestimonialsOrNone(
  client: Client | Promise<Client>,
  count: number,
): Promise<Testimonial[]> {
  try {
    return await listTestimonials(await client, 0, count);
  } catch (error) {
    console.error("Loading testimonials failed", error);
    return [];
  }
}

/** The samples, then the stored testimonials, each id once (section 3). */
export function withSamples(stored: readonly Testimonial[]): Testimonial[] {
  const all = [...(site.showSampleTestimonials ? sampleTestimonials : []), ...stored];
  return [...new Map(all.map((testimonial) => [testimonial.id, testimonial])).values()];
}

/**
 * Deletes a testimonial.
 * @throws the backend's error, or an Error when no row was deleted: a policy blocks silently
 */
export async function removeTestimonial(client: Client, id: string): Promise<void> {
  const { data, error } = await client.from("testimonials").delete().eq("id", id).select("id");
  if (error) throw error;
  if (data.length === 0)
    throw new Error("The review was not found, or this account may not delete it.");
}

/** Nobody can delete a sample (section 6). */
export function isSample({ id }: Pick<Testimonial, "id">): boolean {
  return id.startsWith("static-");
}
