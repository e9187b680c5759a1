import { expect, test } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { defaultSettings } from "../config/site.ts";
import {
  excerptOf,
  findRelatedServices,
  generatedTagline,
  postDisclosures,
  readingMinutes,
} from "./post-content.ts";

test("reading takes a minute per 220 words of all blocks", () => {
  const words = (count: number) => "word ".repeat(count);
  expect(readingMinutes([{ type: "paragraph", text: words(660) }])).toBe(3);
  expect(
    readingMinutes([
      { type: "heading", text: words(110) },
      { type: "list", items: [words(110), words(220)] },
      { type: "quote", text: words(220) },
    ]),
  ).toBe(3);
});

test("reading takes at least one minute", () => {
  expect(readingMinutes([{ type: "paragraph", text: "Call me." }])).toBe(1);
  expect(readingMinutes(null)).toBe(1);
});

const post = { content: [], tagline: generatedTagline("A title"), title: "A title" };

test("a tagline that the owner wrote is the excerpt, on one line", () => {
  const content = [{ type: "paragraph", text: "The text." }];
  expect(excerptOf({ ...post, content, tagline: " In\nshort. " })).toBe("In short.");
  expect(excerptOf({ ...post, content, tagline: "" })).toBe("The text.");
});

test("without one, the excerpt is the first paragraph, on one line", () => {
  const content = [
    { type: "heading", text: "A heading" },
    { type: "paragraph", text: " It begins\nhere. " },
    { type: "paragraph", text: "And goes on." },
  ];
  expect(excerptOf({ ...post, content })).toBe("It begins here.");
});

test("a long excerpt is cut between words", () => {
  const content = [{ type: "paragraph", text: "words and ".repeat(60) }];
  const excerpt = excerptOf({ ...post, content });
  expect(excerpt).toMatch(/ (words|and)…$/);
  expect(excerpt.length).toBeLessThanOrEqual(161);
  expect(excerpt.length).toBeGreaterThan(140);
});

test("an excerpt of one long word is cut inside the word", () => {
  const content = [{ type: "paragraph", text: "a".repeat(400) }];
  expect(excerptOf({ ...post, content })).toBe(`${"a".repeat(160)}…`);
});

test("without a paragraph the excerpt is the generated tagline, else the title", () => {
  expect(excerptOf(post)).toBe("A title");
  expect(excerptOf({ ...post, tagline: "" })).toBe("A title");
});

const { services } = toPublicSite(defaultSettings);

test("related services are found by slug, with their titles", () => {
  expect(findRelatedServices(services, [{ slug: "infinite-banking" }])).toMatchObject([
    { slug: "infinite-banking", title: "Infinite Banking Concept (IBC)" },
  ]);
});

test("a post keeps a service that has another address now", () => {
  const [first] = services;
  const renamed = [{ slug: "annuities", title: "Annuities", cardTitle: "", formerSlugs: ["old"] }];
  expect(first).not.toHaveProperty("formerSlugs");
  expect(findRelatedServices(renamed, [{ slug: "old" }, { slug: "annuities" }])).toEqual(renamed);
});

test("unknown, repeated and malformed entries are skipped", () => {
  const related = [
    { slug: "nope" },
    null,
    3,
    {},
    { slug: "tax-free-growth" },
    { slug: "tax-free-growth" },
  ];
  expect(findRelatedServices(services, related).map(({ slug }) => slug)).toEqual([
    "tax-free-growth",
  ]);
  for (const nothing of [null, undefined, {}, "x"])
    expect(findRelatedServices(services, nothing)).toEqual([]);
});

const notices = [
  { category: "", text: "For all posts." },
  { category: "Life Insurance", text: "For life insurance." },
  { category: "Taxes", text: "For taxes." },
];

test("a post has the notices of its category, in any case, and those for all posts", () => {
  expect(postDisclosures(notices, " life insurance ")).toEqual([
    "For all posts.",
    "For life insurance.",
  ]);
  expect(postDisclosures(notices, "News")).toEqual(["For all posts."]);
  expect(postDisclosures([], "Taxes")).toEqual([]);
});
