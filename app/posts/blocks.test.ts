import { expect, test } from "vitest";
import { blocksToHtml, blocksToPlainText, parseBlocks } from "./blocks.tsx";

test("each block type is parsed, in order", () => {
  const blocks = [
    { type: "heading", text: "H" },
    { type: "paragraph", text: "P" },
    { type: "list", items: ["a", "b"] },
    { type: "quote", text: "Q" },
    { type: "numbered-list", items: ["a"], itemMarks: [[{ type: "bold", start: 0, end: 1 }]] },
    { type: "note", text: "N", marks: [{ type: "link", start: 0, end: 1, href: "tel:1" }] },
    { type: "image", src: "/images/a.png", alt: "", width: 16, height: 9 },
    { type: "image", src: "/images/a.png", alt: "", width: 16, height: 9, size: "half" },
    {
      ...{ type: "table", rows: [["a", "b"]], header: true },
      rowMarks: [[[], [{ type: "bold", start: 0, end: 1 }]]],
    },
  ];
  expect(parseBlocks(blocks)).toEqual(blocks);
});

test("blocks with an unknown or missing type, or a broken shape, are skipped", () => {
  const image = { type: "image", src: "/images/a.png", alt: "", width: 16, height: 9 };
  const broken = [
    ...[null, 7, "x", {}, { type: "video", text: "x" }, { text: "x" }, { type: "list" }],
    ...[
      { type: ["image"] },
      { src: "javascript:x" },
      { src: "//a.example/a.png" },
      { src: "/images/800/uploads/a.png" },
      { width: 0 },
      { height: 1.5 },
    ].map((wrong) => ({ ...image, ...wrong })),
  ];
  expect(parseBlocks([...broken, { type: "paragraph", text: "P" }])).toEqual([
    { type: "paragraph", text: "P" },
  ]);
});

test("a table is filled up to its widest row, and one that is broken or too large is skipped", () => {
  const table = (rows: unknown, others = {}) => parseBlocks([{ type: "table", rows, ...others }]);
  expect(table([["a"], ["b", "c"], []], { rowMarks: [7, [null]], header: "yes" })).toEqual([
    {
      type: "table",
      rows: [
        ["a", ""],
        ["b", "c"],
        ["", ""],
      ],
    },
  ]);
  const row = (cells: number) => Array(cells).fill("a");
  expect(table(Array(100).fill(row(50)))).toHaveLength(1);
  const large = [...Array(100).fill(row(1)), row(50)];
  for (const rows of [undefined, "a", [], [[]], ["a"], [[7]], [{ length: 9 }], large]) {
    expect(table(rows)).toEqual([]);
  }
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
    [
      ...["javascript:x", "data:text/html,x", "a", "https://", "https://a b", "/a b"],
      ...["//a.example", "/\\a.example", "/\t/a.example"],
    ].map((href) => ({ type: "link", start: 0, end: 2, href })),
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

test("blocks become plain text without marks, for counting its words", () => {
  expect(
    blocksToPlainText([
      { type: "heading", text: "First" },
      { type: "paragraph", text: "Two\nlines", marks: [{ type: "bold", start: 0, end: 3 }] },
      { type: "list", items: ["one", "two"] },
      { type: "image", src: "/images/a.png", alt: "Not counted", width: 1, height: 1 },
      { type: "note", text: "Noted" },
      { type: "table", rows: [["Plan"], ["Term"]] },
    ]),
  ).toBe("First\nTwo\nlines\none\ntwo\nNoted\nPlan\nTerm");
});

test("each type of block has its element, and web addresses become links", () => {
  const html = blocksToHtml("https://site.example", [
    { type: "heading", text: "A heading" },
    { type: "paragraph", text: "See https://a.example/?b=1&c=2.\nNew line" },
    { type: "list", items: ["One", "https://two.example"] },
    { type: "quote", text: "A quote" },
    { type: "numbered-list", items: ["First"] },
    { type: "note", text: "A note" },
    { type: "image", src: "images/public/a.png", alt: 'A "lamp"', width: 16, height: 9 },
    {
      ...{ type: "image", src: "/images/b.svg", alt: "Ada" },
      ...{ width: 800, height: 1000, size: "portrait" },
    },
    {
      ...{ type: "table", rows: [["Plan"], ["<Term>"]], header: true },
      rowMarks: [[[]], [[{ type: "link", start: 0, end: 6, href: "/contact" }]]],
    },
  ]);
  expect(html.split("\n")).toEqual([
    "<h2>A heading</h2>",
    '<p>See <a href="https://a.example/?b=1&amp;c=2">https://a.example/?b=1&amp;c=2</a>.<br>New line</p>',
    '<ul><li>One</li><li><a href="https://two.example">https://two.example</a></li></ul>',
    "<blockquote><p>A quote</p></blockquote>",
    "<ol><li>First</li></ol>",
    "<blockquote><p><strong>Keep in mind</strong></p><p>A note</p></blockquote>",
    '<p><img src="https://site.example/images/1200/uploads/a.png" alt="A &quot;lamp&quot;" width="16" height="9"></p>',
    '<p><img src="https://site.example/images/b.svg" alt="Ada" width="176" height="220"></p>',
    '<table><tr><th>Plan</th></tr><tr><td><a href="https://site.example/contact">&lt;Term&gt;</a></td></tr></table>',
  ]);
});

test("marks become elements", () => {
  const html = blocksToHtml("https://site.example", [
    {
      type: "quote",
      text: "Bold & linked",
      marks: [
        { type: "bold", start: 0, end: 8 },
        { type: "italic", start: 7, end: 13 },
        { type: "link", start: 7, end: 13, href: "https://a.example/?b&c" },
      ],
    },
  ]);
  expect(html).toBe(
    '<blockquote><p><strong>Bold &amp; </strong><a href="https://a.example/?b&amp;c"><strong><em>l</em></strong><em>inked</em></a></p></blockquote>',
  );
});

test("a path of the site is a link, which is complete for feed readers", () => {
  const links = ["/", "/contact", "/blog/a?b=c#d"].map((href) => ({
    ...{ type: "paragraph", text: "Here" },
    marks: [{ type: "link", start: 0, end: 4, href }],
  }));
  const blocks = parseBlocks(links);
  expect(blocks).toEqual(links);
  expect(blocksToHtml("https://site.example", blocks.slice(1, 2))).toBe(
    '<p><a href="https://site.example/contact">Here</a></p>',
  );
});

test("stored text is escaped", () => {
  expect(
    blocksToHtml("https://site.example", [
      { type: "paragraph", text: "<script>alert(1)</script>" },
    ]),
  ).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
});
