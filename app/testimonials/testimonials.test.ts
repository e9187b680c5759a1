import { expect, test } from "vitest";
import { builtInSamples } from "../config/site.ts";
import { sampleTestimonials } from "./sample-testimonials.ts";
import { withSamples } from "./testimonials.ts";

const stored = {
  id: "6f9b3f4e-2f0a-4a64-9a43-6f5f6f1f7b11",
  name: "Ada",
  role: null,
  content: "Clear and kind.",
  rating: 5,
  created_at: "2026-01-01T00:00:00Z",
};

test("the five samples precede stored testimonials", () => {
  const ids = withSamples(true, [stored]).map(({ id }) => id);
  expect(ids).toEqual(["static-1", "static-2", "static-3", "static-4", "static-5", stored.id]);
});

test("a testimonial with the same id is shown once", () => {
  expect(withSamples(true, [stored, stored])).toHaveLength(6);
});

test("a sample wins over a stored testimonial with its id", () => {
  const [sample] = sampleTestimonials;
  expect(withSamples(true, [{ ...stored, id: sample.id }, stored])).toEqual([
    ...sampleTestimonials,
    stored,
  ]);
});

test("the samples have ids that no stored row can have, and ratings from 1 to 5", () => {
  expect(sampleTestimonials).toHaveLength(builtInSamples);
  for (const sample of sampleTestimonials) {
    expect(sample.id).toMatch(/^static-[1-5]$/);
    expect(sample.rating).toBeGreaterThanOrEqual(1);
    expect(sample.rating).toBeLessThanOrEqual(5);
  }
});
