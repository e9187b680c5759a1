import { expect, test } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { defaultSettings } from "../config/site.ts";
import {
  blocksToText,
  excerptOf,
  findRelatedServices,
  generatedTagline,
  parseBlocks,
  readingMinutes,
  splitLinks,
} from "./post-content.ts";

test("the four block types are parsed in order", () => {
  const blocks = [
    { type: "heading", text: "H" },
    { type: "paragraph", text: "P" },
    { type: "list", items: ["a", "b"] },
    { type: "quote", text: "Q" },
  ];
  expect(parseBlocks(blocks)).toEqual(blocks);
});

test("blocks with an unknown or missing type, or a broken shape, are skipped", () => {
  const broken = [null, 7, "x", {}, { type: "video", text: "x" }, { text: "x" }, { type: "list" }];
  expect(parseBlocks([...broken, { type: "paragraph", text: "P" }])).toEqual([
    { type: "paragraph", text: "P" },
  ]);
});

test("content that is not an array has no blocks", () => {
  for (const content of [null, undefined, {}, "text"]) expect(parseBlocks(content)).toEqual([]);
});

test("blocks become text, and lists become lines that start with '- '", () => {
  expect(
    blocksToText([
      { type: "heading", text: "First" },
      { type: "paragraph", text: "Two\nlines" },
      { type: "list", items: ["one", "two"] },
      { type: "quote", text: "Said" },
    ]),
  ).toBe("First\n\nTwo\nlines\n\n- one\n- two\n\nSaid");
});

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
  expect(excerptOf(post)).toBe("An insightful article about A title");
  expect(excerptOf({ ...post, tagline: "" })).toBe("A title");
});

/** The links of a text: the linked words and their address. */
function linksIn(text: string) {
  return splitLinks(text).flatMap(({ text: words, href }) => (href ? [[words, href]] : []));
}

test("text is split into plain text and links without losing a character", () => {
  expect(splitLinks("See https://www.irs.gov/a?b=1, or (https://naic.org).")).toEqual([
    { text: "See " },
    { text: "https://www.irs.gov/a?b=1", href: "https://www.irs.gov/a?b=1" },
    { text: ", or (" },
    { text: "https://naic.org", href: "https://naic.org" },
    { text: ")." },
  ]);
  expect(splitLinks("")).toEqual([]);
});

test.each([
  ["https://en.wikipedia.org/wiki/Term_(insurance)"],
  ["https://en.wikipedia.org/wiki/Term_(insurance)#History_(US)"],
  ["http://example.com"],
  ["HTTPS://EXAMPLE.COM/A"],
  ["https://example.com:8443/a/b.html?c=d&e=(f)#g"],
  ["https://example.com/a,b;c/it's"],
  ["https://münchen.de/straße"],
  ["https://example.com/%7Eada/"],
  ["http://localhost:3000/a"],
])("all of %s is linked", (address) => {
  expect(linksIn(address)).toEqual([[address, address]]);
  expect(linksIn(`Read ${address} today`)).toEqual([[address, address]]);
});

test.each([
  [".", ""],
  [",", ""],
  [";", ""],
  ["!", ""],
  ["?", ""],
  ["…", ""],
  [").", "("],
  ["]", "["],
  ['"', '"'],
  ["”", "“"],
  [">", "<"],
  ["),", "(see "],
])("punctuation after an address (%s) is not part of the link", (after, before) => {
  for (const address of ["https://example.com/a", "https://example.com/Term_(insurance)"]) {
    expect(linksIn(`${before}${address}${after}`)).toEqual([[address, address]]);
  }
});

test.each([
  ["www.example.com", "https://www.example.com"],
  ["WWW.Example.com", "https://WWW.Example.com"],
  ["www.example.co.uk/a_(b)?c=d", "https://www.example.co.uk/a_(b)?c=d"],
])("%s is a link to %s", (words, href) => {
  expect(linksIn(words)).toEqual([[words, href]]);
  expect(linksIn(`(See ${words}).`)).toEqual([[words, href]]);
});

test.each([
  ["javascript:alert(1)"],
  ["JAVASCRIPT://example.com/%0Aalert(1)"],
  ["data:text/html,x"],
  ["vbscript:msgbox(1)"],
  ["mailto:ada@example.com"],
  ["ada@example.com"],
  ["ada@www.example.com"],
  ["ftp://files.example"],
  ["ftp://www.example.com"],
  ["//www.example.com"],
  ["xhttps://example.com"],
  ["https://"],
  ["https:example.com"],
  ["https://example.com:99999/"],
  ["https://999.999.999.999/"],
  ["example.com"],
  ["U.S.A"],
  ["file.md"],
  ["www."],
  ["www.com"],
  ["intranet.www.example.com"],
])("%s stays text", (text) => {
  expect(splitLinks(text)).toEqual([{ text }]);
});

test("each of several addresses in a row is a link", () => {
  expect(linksIn("https://a.example, www.b.example;\nhttp://c.example")).toEqual([
    ["https://a.example", "https://a.example"],
    ["www.b.example", "https://www.b.example"],
    ["http://c.example", "http://c.example"],
  ]);
});

const { services } = toPublicSite(defaultSettings);

test("related services are found by slug, with their titles", () => {
  expect(findRelatedServices(services, [{ slug: "infinite-banking" }])).toMatchObject([
    { slug: "infinite-banking", title: "Infinite Banking Concept (IBC)" },
  ]);
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
