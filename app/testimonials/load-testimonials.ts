import type { Client } from "../supabase/client-context.ts";
import { listTestimonials, sampleCount, type Testimonial } from "./testimonials.ts";

/** One page of the reviews, or that it could not be read. */
export interface TestimonialList {
  /** Without the samples, which the page itself knows. */
  stored: Testimonial[];
  /** 1 for the samples and the newest reviews. */
  page: number;
  /** Whether older reviews follow. */
  hasNext: boolean;
  failed: boolean;
}

/** Cards a page, the samples on the first one among them: whole rows of three. */
const size = 24;

/** Reads a page of the reviews. A failure is logged and leaves the samples alone (section 8). */
export async function loadTestimonials(
  client: Client | Promise<Client>,
  page: number,
): Promise<TestimonialList> {
  const first = Math.max(0, (page - 1) * size - sampleCount);
  const count = page * size - sampleCount - first;
  try {
    // One more than is shown tells whether there is a next page.
    const rows = await listTestimonials(await client, first, count + 1);
    return { stored: rows.slice(0, count), page, hasNext: rows.length > count, failed: false };
  } catch (error) {
    console.error("Loading testimonials failed", error);
    return { stored: [], page, hasNext: false, failed: true };
  }
}

/** How many pages there are for so many stored reviews; at least 1. */
export function countTestimonialPages(stored: number): number {
  return Math.max(1, Math.ceil((stored + sampleCount) / size));
}
