import { expect, test } from "vitest";
import { defaultSettings } from "../../app/config/site.ts";
import { settingsSchema } from "../../app/config/site-schema.ts";
import { contentFacts } from "./stored-content.ts";

test("rows of pages that are switched off need no attention", () => {
  const stored = {
    posts: [{ title: "A", image_url: null, is_sample: true }],
    testimonials: [{ name: "B", is_sample: true }],
  };
  const samplesWithout = (hidden: string[]) => {
    const settings = settingsSchema.parse({ ...defaultSettings, pages: { hidden } });
    const { samplePosts, sampleTestimonials } = contentFacts(stored, settings);
    return [samplePosts, sampleTestimonials];
  };
  expect(samplesWithout([])).toEqual([1, 1]);
  expect(samplesWithout(["blog"])).toEqual([0, 1]);
  expect(samplesWithout(["testimonials"])).toEqual([1, 0]);
});
