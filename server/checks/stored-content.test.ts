import { expect, test } from "vitest";
import { completeSettings, defaultSettings } from "../../app/config/site.ts";
import { settingsSchema } from "../../app/config/site-schema.ts";
import { contentFacts } from "./stored-content.ts";

test.each([
  ["http://127.0.0.1:3000/blog/a", true],
  ["see HTTPS://LOCALHOST/a", true],
  ["http://[::1]:3000", true],
  ["https://abc.supabase.co/storage/v1/object/public/images/public/a.png", true],
  ["images/public/a.png", false],
  ["https://www.example.com/127.0.0.1", false],
  ["https://localhost.example.com", false],
])("%s in a text is an address that visitors cannot open: %s", (text, isLocal) => {
  const post = { title: "A", image_url: null, is_sample: false, content: [{ text }] };
  const settings = [{ section: "firm", document: { tagline: text } }];
  const facts = contentFacts({ posts: [post], settings, testimonials: [] }, completeSettings({}));
  expect(facts.localPosts).toEqual(isLocal ? ["A"] : []);
  expect(facts.localSections).toEqual(isLocal ? ["firm"] : []);
});

test("rows of pages that are switched off need no attention", () => {
  const stored = {
    settings: [],
    posts: [{ title: "A", image_url: null, is_sample: true }],
    testimonials: [{ name: "B", is_sample: true }],
  };
  const samplesWithout = (hidden: string[], samples = true) => {
    const testimonials = { ...defaultSettings.testimonials, samples };
    const settings = settingsSchema.parse({ ...defaultSettings, testimonials, pages: { hidden } });
    const { samplePosts, sampleTestimonials } = contentFacts(stored, settings);
    return [samplePosts, sampleTestimonials];
  };
  expect(samplesWithout([])).toEqual([1, 1]);
  expect(samplesWithout(["blog"])).toEqual([0, 1]);
  expect(samplesWithout(["testimonials"])).toEqual([1, 0]);
  expect(samplesWithout([], false)).toEqual([1, 0]);
});
