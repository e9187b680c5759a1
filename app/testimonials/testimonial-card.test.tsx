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
/** The card on the site of the fictional firm. */
function render(testimonial: Testimonial): string {
  const site = toPublicSite(defaultSettings);
  const Stub = createRoutesStub([
    { id: "root", path: "/", Component: () => <TestimonialCard testimonial={testimonial} /> },
  ]);
  return renderToStaticMarkup(<Stub hydrationData={{ loaderData: { root: { site } } }} />);
}

/** The words below the name. */
function wordsBelow(testimonial: Testimonial): string {
  const html = render(testimonial).split("Ada</span>").at(-1) ?? "";
  return html.replace(/<[^>]+>/g, "");
}

const answers = { relationship: "client", compensation: "none", connection: "none" };
const firm = defaultSettings.firm.name;

test.each<[what: string, of: Partial<Testimonial>, words: string]>([
  ["a client", answers, "Client. Not paid for this review."],
  [
    "somebody who was paid",
    { ...answers, relationship: "none", compensation: "given", compensation_details: "$25" },
    "Not a client. Received something for this review ($25).",
  ],
  [
    "a relative",
    { ...answers, relationship: "former", compensation: "given", connection: "family" },
    "Former client. Received something for this review. Family of someone at the firm.",
  ],
  [
    "an employee whom the firm asked",
    { ...answers, connection: "employee", is_asked: true },
    "Asked for by the firm. Client. Not paid for this review. Works for the firm.",
  ],
  [
    "somebody of whom the firm knows more",
    { ...answers, statement: "Received a gift card of $25" },
    `Client. Not paid for this review. ${firm} states: Received a gift card of $25.`,
  ],
  [
    "somebody whom nobody asked",
    { statement: "A client. She is a cousin." },
    `${firm} states: A client. She is a cousin.`,
  ],
])("the card of %s says who states what", (_what, of, words) => {
  expect(wordsBelow({ ...review, ...of })).toBe(words);
});

test("without an answer a card claims nothing, and it claims nothing about a person who does not exist", () => {
  expect(wordsBelow(review)).toBe("");
  expect(wordsBelow({ ...review, ...answers, is_sample: true })).toBe("");
});

test("the disclosure has the size and color of the review, and is never behind 'Read more'", () => {
  const html = render({ ...review, content: "Word. ".repeat(500), ...answers });
  const disclosure = '<p class="mt-2">Client.';
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
  expect(wordsBelow({ ...review, ...reply })).toBe(
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
