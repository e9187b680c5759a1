import { expect, test } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { defaultSettings } from "../config/site.ts";
import {
  blocksToPlainText,
  excerptOf,
  findRelatedServices,
  formatText,
  generatedTagline,
  parseBlocks,
  readingMinutes,
  splitLinks,
} from "./post-content.ts";

test("each block type is parsed, in order", () => {
  const blocks = [
    { type: "heading", text: "H" },
    { type: "paragraph", text: "P" },
    { type: "list", items: ["a", "b"] },
    { type: "quote", text: "Q" },
    { type: "numbered-list", items: ["a"], itemMarks: [[{ type: "bold", start: 0, end: 1 }]] },
    { type: "note", text: "N", marks: [{ type: "link", start: 0, end: 1, href: "tel:1" }] },
    { type: "image", src: "/a.png", alt: "", width: 16, height: 9 },
  ];
  expect(parseBlocks(blocks)).toEqual(blocks);
});

test("blocks with an unknown or missing type, or a broken shape, are skipped", () => {
  const image = { type: "image", src: "/a.png", alt: "", width: 16, height: 9 };
  const broken = [
    ...[null, 7, "x", {}, { type: "video", text: "x" }, { text: "x" }, { type: "list" }],
    ...[{ src: "javascript:x" }, { src: "//a.example/a.png" }, { width: 0 }, { height: 1.5 }].map(
      (wrong) => ({ ...image, ...wrong }),
    ),
  ];
  expect(parseBlocks([...broken, { type: "paragraph", text: "P" }])).toEqual([
    { type: "paragraph", text: "P" },
  ]);
});

test("content that is not an array has no blocks", () => {
  for (const content of [null, undefined, {}, "text"]) expect(parseBlocks(content)).toEqual([]);
});

test.each([
  ["no list", "bold"],
  ["no mark", [null, 7, {}, { type: "color", start: 0, end: 1 }]],
  ["outside the text", [{ type: "bold", start: 2, end: 6 }]],
  ["negative or not whole", [-1, 0.5].map((start) => ({ type: "bold", start, end: 2 }))],
  ["empty or reversed", [2, 3].map((start) => ({ type: "italic", start, end: 2 }))],
  ["inside a character", [{ type: "bold", start: 0, end: 4 }]],
  ["a link without an address", [{ type: "link", start: 0, end: 2 }]],
  [
    "a link to a forbidden address",
    ["javascript:x", "data:text/html,x", "/a", "https://", "https://a b", "//a.example"].map(
      (href) => ({ type: "link", start: 0, end: 2, href }),
    ),
  ],
])("invalid marks (%s) are dropped, never their text", (_why, marks) => {
  const block = { type: "paragraph", text: "abc😀" };
  expect(parseBlocks([{ ...block, marks }])).toEqual([block]);
  const list = { type: "list", items: ["abc😀"] };
  expect(parseBlocks([{ ...list, itemMarks: [marks] }])).toEqual([list]);
  expect(parseBlocks([{ ...list, itemMarks: marks }])).toEqual([list]);
});

test("marks are sorted, and one that overlaps another of its type is dropped", () => {
  const bold = { type: "bold", start: 1, end: 3 };
  const italic = { type: "italic", start: 0, end: 2 };
  const marks = [bold, italic, { type: "bold", start: 2, end: 4 }];
  expect(parseBlocks([{ type: "quote", text: "abcd", marks }])).toEqual([
    { type: "quote", text: "abcd", marks: [italic, bold] },
  ]);
});

const plain = (text: string) => ({ text, bold: false, italic: false });

test("text is split at its marks and web addresses, which do not nest inside marked links", () => {
  const text = "See https://a.example or https://b.example.";
  expect(
    formatText(text, [
      { type: "bold", start: 0, end: 9 },
      { type: "link", start: 22, end: 35, href: "https://c.example" },
    ]),
  ).toEqual([
    { pieces: [{ text: "See ", bold: true, italic: false }] },
    {
      href: "https://a.example",
      pieces: [{ text: "https", bold: true, italic: false }, plain("://a.example")],
    },
    { pieces: [plain(" ")] },
    { href: "https://c.example", pieces: [plain("or https://b.")] },
    { pieces: [plain("example.")] },
  ]);
  expect(formatText("")).toEqual([]);
});

test("blocks become plain text without marks, for counting its words", () => {
  expect(
    blocksToPlainText([
      { type: "heading", text: "First" },
      { type: "paragraph", text: "Two\nlines", marks: [{ type: "bold", start: 0, end: 3 }] },
      { type: "list", items: ["one", "two"] },
      { type: "image", src: "/a.png", alt: "Not counted", width: 1, height: 1 },
      { type: "note", text: "Noted" },
    ]),
  ).toBe("First\n\nTwo\nlines\n\none\ntwo\n\n\n\nNoted");
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
