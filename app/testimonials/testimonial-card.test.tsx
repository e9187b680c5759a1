import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { defaultSettings } from "../config/site.ts";
import { sampleTestimonials } from "./sample-testimonials.ts";
import { splitContent, TestimonialCard } from "./testimonial-card.tsx";
import type { Testimonial } from "./testimonials.ts";

const review: Testimonial = {
  id: "6f9b3f4e-2f0a-4a64-9a43-6f5f6f1f7b11",
  name: "Ada",
  role: null,
  content: "Clear and kind.",
  rating: 5,
  created_at: "2026-01-01T00:00:00Z",
};
const firm = { compensation: "Not paid for this review.", conflict: "No conflict is known." };

/** The card on the site of a firm with these sentences. */
function render(testimonial: Testimonial, sentences = firm): string {
  const testimonials = { ...defaultSettings.testimonials, ...sentences };
  const site = toPublicSite({ ...defaultSettings, testimonials });
  const Stub = createRoutesStub([
    { id: "root", path: "/", Component: () => <TestimonialCard testimonial={testimonial} /> },
  ]);
  return renderToStaticMarkup(<Stub hydrationData={{ loaderData: { root: { site } } }} />);
}

/** The words below the name. */
function wordsBelow(testimonial: Testimonial, sentences = firm): string {
  const html = render(testimonial, sentences).split("Ada</span>").at(-1) ?? "";
  return html.replace(/<[^>]+>/g, "");
}

test.each<[what: string, of: Partial<Testimonial>, words: string]>([
  [
    "from a client",
    { relationship: "client" },
    "Client. Not paid for this review. No conflict is known.",
  ],
  [
    "from a former client",
    { relationship: "former" },
    "Former client. Not paid for this review. No conflict is known.",
  ],
  [
    "with sentences of its own",
    { relationship: "none", compensation: "A gift card of $25", conflict: "A cousin." },
    "Not a client. A gift card of $25. A cousin.",
  ],
  [
    "that the firm asked for",
    { is_asked: true },
    "Asked for by the firm. Not paid for this review. No conflict is known.",
  ],
  ["from before the question", {}, "Not paid for this review. No conflict is known."],
])("a review %s says so in the card", (_what, of, words) => {
  expect(wordsBelow({ ...review, ...of })).toBe(words);
});

test("a card says nothing that nobody knows, and claims nothing about a person who does not exist", () => {
  expect(wordsBelow(review, { compensation: "", conflict: "" })).toBe("");
  expect(wordsBelow({ ...review, is_sample: true, relationship: "client" })).toBe("");
});

test("the disclosure has the size and color of the review, and is never behind 'Read more'", () => {
  const html = render({ ...review, content: "Word. ".repeat(500), relationship: "client" });
  const disclosure = '<p class="mt-2">Client. Not paid';
  expect(html).toContain(disclosure);
  expect(html.indexOf("</details>")).toBeLessThan(html.indexOf(disclosure));
});

test("built-in and stored samples say so as text, other reviews do not", () => {
  const label = />Sample<\/span>/;
  for (const sample of [...sampleTestimonials, { ...review, is_sample: true }]) {
    expect(render(sample)).toMatch(label);
  }
  expect(render(review)).not.toMatch(label);
});

test("the firm's reply has its name and the day in the site's time zone", () => {
  const reply = { reply: "Thank you, Ada.", replied_at: "2026-03-02T04:00:00Z" };
  expect(wordsBelow({ ...review, ...reply }, { compensation: "", conflict: "" })).toBe(
    `Reply by ${defaultSettings.firm.name}, March 1, 2026Thank you, Ada.`,
  );
});

test("a short testimonial is not split", () => {
  expect(splitContent("Clear and kind.")).toEqual(["Clear and kind.", null]);
  expect(splitContent("x".repeat(480))).toEqual(["x".repeat(480), null]);
});

test("a long testimonial is split at the end of a sentence", () => {
  const sentence = "She counted every dollar with us twice, and we understood it. ";
  const [opening, rest] = splitContent(sentence.repeat(50));
  expect(opening).toMatch(/understood it\.$/);
  expect(opening.length).toBeGreaterThan(250);
  expect(opening.length).toBeLessThanOrEqual(480);
  expect(rest).toMatch(/^She counted/);
});

test("a text without sentences is split between words, a text without words anywhere", () => {
  expect(splitContent("word ".repeat(600))[0]).toMatch(/word$/);
  expect(splitContent("x".repeat(3000)).map((part) => part?.length)).toEqual([320, 2680]);
});

test("only the blank at the split is removed", () => {
  const text = "First sentence, and it is long enough to matter here. ".repeat(20).trim();
  expect(splitContent(text).join(" ")).toBe(text);
});
