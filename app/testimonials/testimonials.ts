import { site } from "../config/site.ts";
import type { Client } from "../supabase/client-context.ts";
import { sampleTestimonials, type Testimonial } from "./sample-testimonials.ts";

export type { Testimonial };

/** How many stored reviews the home page asks for (section 9). */
export const homeTestimonialCount = 5;

/**
 * Reads stored reviews, newest first.
 * @param limit all of them when left out.
 * @throws the backend's error.
 */
export async function listTestimonials(client: Client, limit?: number): Promise<Testimonial[]> {
  const query = client.from("testimonials").select("*").order("created_at", { ascending: false });
  const { data, error } = await (limit ? query.limit(limit) : query);
  if (error) throw error;
  return data;
}

/** As `listTestimonials`, but a failure is logged and leaves the samples alone (section 8). */
export async function listTestimonialsOrNone(
  client: Client,
  limit?: number,
): Promise<Testimonial[]> {
  try {
    return await listTestimonials(client, limit);
  } catch (error) {
    console.error("Loading testimonials failed", error);
    return [];
  }
}

/** The samples, then the stored reviews, each id once (section 3). */
export function withSamples(stored: readonly Testimonial[]): Testimonial[] {
  const all = [...(site.showSampleTestimonials ? sampleTestimonials : []), ...stored];
  return [...new Map(all.map((testimonial) => [testimonial.id, testimonial])).values()];
}

/** Stores a review. @throws the backend's error. */
export async function addTestimonial(client: Client, testimonial: Testimonial): Promise<void> {
  const { error } = await client.from("testimonials").insert(testimonial);
  if (error) throw error;
}

/**
 * Deletes a review.
 * @throws the backend's error, or an Error when no row was deleted: a policy blocks without an error.
 */
export async function removeTestimonial(client: Client, id: string): Promise<void> {
  const { data, error } = await client.from("testimonials").delete().eq("id", id).select("id");
  if (error) throw error;
  if (data.length === 0)
    throw new Error("The review was not found, or this account may not delete it.");
}

/** Samples belong to the site and can't be deleted by anyone (section 6). */
export function isSample({ id }: Pick<Testimonial, "id">): boolean {
  return id.startsWith("static-");
}
