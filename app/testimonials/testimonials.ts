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
