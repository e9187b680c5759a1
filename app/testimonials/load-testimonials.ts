import type { Client } from "../supabase/client-context.ts";
import { listTestimonials, sampleCount, type Testimonial } from "./testimonials.ts";

/** One page of the testimonials. */
export interface TestimonialList {
  /** Without the samples. */
  stored: Testimonial[];
  /** Page 1 has the samples and the newest testimonials. */
  page: number;
  /** Whether there is a page of older ones. */
  hasNext: boolean;
  /** Whether the testimonials could not be read. */
  failed: boolean;
}

/** Cards per page, with the samples on the first: full rows of three. */
const size = 24;

/** Reads a page of the testimonials. A failure is only logged: the samples stay (section 8). */
export async function loadTestimonials(
  client: Client | Promise<Client>,
  page: number,
): Promise<TestimonialList> {
  const first = Math.max(0, (page - 1) * size - sampleCount);
  const count = page * size - sampleCount - first;
  try {
    // One row more shows whether there is a next page.
    const rows = await listTestimonials(await client, first, count + 1);
    return { stored: rows.slice(0, count), page, hasNext: rows.length > count, failed: false };
  } catch (error) {
    console.error("Loading testimonials failed", error);
    return { stored: [], page, hasNext: false, failed: true };
  }
}

/** The number of pages for this many stored testimonials; at least 1. */
export function countTestimonialPages(stored: number): number {
  return Math.max(1, Math.ceil((stored + sampleCount) / size));
}
