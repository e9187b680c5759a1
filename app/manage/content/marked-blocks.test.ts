// Converts text to blocks and back, with marked-blocks.ts and marked-text.ts.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, parseBlocks } from "../../posts/blocks.tsx";
import type { Mark } from "../../posts/formatted-text.tsx";
import {
  blocksToText,
  readableText,
  tableBlock,
  tableProblem,
  textBlock,
  textToBlocks,
} from "./marked-blocks.ts";
import { normalizeMarks } from "./marked-text.ts";
import { append } from "./read-text.ts";

const paragraph = (text: string, ...marks: Mark[]): Block => ({
  type: "paragraph",
  text,
  ...(marks.length > 0 && { marks }),
});

test("each mark becomes its block, and is written back", () => {
  const text = [
    "A paragraph\nof two lines.",
    "## A heading",
    "- one\n- two",
    "1. first\n2. second",
    "> A quote\n> of two lines",
    "!! Remember me",
    "| Plan | **Price** |\n| --- | --- |\n| Term<br>life | 5 \\| 6 |\n| \\<br> |  |",
    '![A lamp \\] at night](https://example.com/a_(b).jpg "1600x900")',
    '![Ada](/images/a.jpg "800x1000 portrait")',
  ].join("\n\n");
  const blocks: Block[] = [
    { type: "paragraph", text: "A paragraph\nof two lines." },
    { type: "heading", text: "A heading" },
    { type: "list", items: ["one", "two"] },
    { type: "numbered-list", items: ["first", "second"] },
    { type: "quote", text: "A quote\nof two lines" },
    { type: "note", text: "Remember me" },
    {
      type: "table",
      rows: [
        ["Plan", "Price"],
        ["Term\nlife", "5 | 6"],
        ["<br>", ""],
      ],
      rowMarks: [
        [[], [{ type: "bold", start: 0, end: 5 }]],
        [[], []],
        [[], []],
      ],
      header: true,
    },
    {
      type: "image",
      src: "https://example.com/a_(b).jpg",
      alt: "A lamp ] at night",
      width: 1600,
      height: 900,
    },
    {
      ...{ type: "image", src: "/images/a.jpg", alt: "Ada" },
      ...{ width: 800, height: 1000, size: "portrait" },
    },
  ];
  expect(textToBlocks(text)).toEqual(blocks);
  expect(blocksToText(blocks)).toBe(text);
});

test("blank lines separate paragraphs, with any line endings and spaces on them", () => {
  expect(textToBlocks("\r\n\r\nOne\r\n \t\r\nTwo\nstill two\n\n\n\n Three ")).toEqual([
    paragraph("One"),
    paragraph("Two\nstill two"),
    paragraph("Three"),
  ]);
});

test("blank text has no blocks", () => {
  for (const text of ["", " ", "\n\n \r\n", "\0"]) expect(textToBlocks(text)).toEqual([]);
});

test("a marked line starts a block without a blank line before it", () => {
  expect(textToBlocks("Two things:\n- one\n- two\n## Next\nGo on.")).toEqual([
    paragraph("Two things:"),
    { type: "list", items: ["one", "two"] },
    { type: "heading", text: "Next" },
    paragraph("Go on."),
  ]);
});

test("one blank line between items continues a list, two end it", () => {
  expect(textToBlocks("1. one\n\n2. two\n\n\n1. other")).toEqual([
    { type: "numbered-list", items: ["one", "two"] },
    { type: "numbered-list", items: ["other"] },
  ]);
});

test("an item of a numbered list can be deleted, and a year starts none", () => {
  expect(textToBlocks("1. one\n3. two\n1986. was a year")).toEqual([
    { type: "numbered-list", items: ["one", "two\n1986. was a year"] },
  ]);
  expect(textToBlocks("3. May")).toEqual([paragraph("3. May")]);
});

test("the address of a link may start with 'www.'", () => {
  const [block] = textToBlocks("[Ada](www.a.example/b_(c))");
  expect(block).toMatchObject({ text: "Ada", marks: [{ href: "https://www.a.example/b_(c)" }] });
});

test("a line of a backslash alone is a blank line in its block", () => {
  const text = "a\n\\\n\\- b\n\n- c\n  \\\n  d\n\n> e\n>\n> f";
  const blocks: Block[] = [
    paragraph("a\n\n- b"),
    { type: "list", items: ["c\n\nd"] },
    { type: "quote", text: "e\n\nf" },
  ];
  expect(textToBlocks(text)).toEqual(blocks);
  expect(blocksToText(blocks)).toBe(text);
  expect(textToBlocks("\\\n\\")).toEqual([paragraph("\\\n\\")]);
});

test("a line without a mark belongs to the item or quote above it", () => {
  expect(textToBlocks("- one\n  more\n- two\n\n> said\nAda")).toEqual([
    { type: "list", items: ["one\nmore", "two"] },
    { type: "quote", text: "said\nAda" },
  ]);
});

test.each([
  ["1986. A good year"],
  ["2. Second"],
  ["1) One"],
  ["-5 percent"],
  ["- "],
  ["#1 reason"],
  [">50 years"],
  ["!! "],
  ["* Terms apply"],
  ["+ more"],
  ["Guaranteed* rates\nand *more"],
  ["5 * 3 * 2"],
  ["An unclosed **bold"],
  ["a **** b"],
  ["snake_case and _this_ and __that__"],
  ["https://example.com/a_b_(c)?d=[e]"],
  ["<script>alert(1)</script>"],
  ["[a](javascript:alert(1))"],
  ["[a](data:text/html,x)"],
  ["[a](//example.com)"],
  ["[](https://example.com)"],
  ["[a]()"],
  ['![a](javascript:alert(1) "1x1")'],
  ["![a](a.png)"],
  ['![a](/images/a.png "1x1 huge")'],
  ["&amp; `code` ~~x~~ <b>"],
  ["C:\\Users\\Ada"],
  ["| a | b"],
  ["a | b |"],
])("%j stays text", (text) => {
  const [block, ...others] = textToBlocks(text);
  expect(others).toEqual([]);
  expect(block).toEqual(paragraph(text.trim()));
});

test("bold, italic and links are marks beside the plain text", () => {
  expect(textToBlocks("A **bold *and* [linked](https://example.com/(a)) text**.")).toEqual([
    paragraph(
      "A bold and linked text.",
      { type: "bold", start: 2, end: 22 },
      { type: "italic", start: 7, end: 10 },
      { type: "link", start: 11, end: 17, href: "https://example.com/(a)" },
    ),
  ]);
  expect(textToBlocks("- [Call](tel:+1-555-0100)\n- [Write](mailto:a@b.example)")).toEqual([
    {
      type: "list",
      items: ["Call", "Write"],
      itemMarks: [
        [{ type: "link", start: 0, end: 4, href: "tel:+1-555-0100" }],
        [{ type: "link", start: 0, end: 5, href: "mailto:a@b.example" }],
      ],
    },
  ]);
});

test("lines between bars are rows of a table, which is filled up", () => {
  expect(textToBlocks("| a |\n| b | c |  \n\n| --- |\n| d |\ne | f |\n| | |")).toEqual([
    {
      type: "table",
      rows: [
        ["a", ""],
        ["b", "c"],
      ],
    },
    { type: "table", rows: [["---"], ["d"]] },
    paragraph("e | f |"),
  ]);
  expect(textToBlocks("|a|b|\n|:-:|--:|\n|c|d|")).toMatchObject([
    {
      rows: [
        ["a", "b"],
        ["c", "d"],
      ],
      header: true,
    },
  ]);
  expect(textToBlocks("\\| a |\n| b")).toEqual([paragraph("| a |\n| b")]);
  const rule = { type: "table" as const, rows: [["a"], ["---"]] };
  expect(blocksToText([rule])).toBe("| a |\n| \\--- |");
  expect(textToBlocks(blocksToText([rule]))).toEqual([rule]);
});

test("lines that are too many for a table stay text", () => {
  const lines = (count: number) => Array(count).fill("| a |").join("\n");
  // The last one has more lines than a call can have arguments.
  for (const text of [`| ${"a | ".repeat(51)}`, lines(5001), lines(200_000)]) {
    const blocks = textToBlocks(`${text}\n\nb`);
    expect(blocks).toEqual([paragraph(text.trim()), paragraph("b")]);
    expect(tableProblem(blocks)).toBe("A table can have 50 columns and 5,000 cells.");
  }
  for (const text of ["| a | b |\n| c |", "\\| a | b |", "| a", "a"]) {
    expect(tableProblem(textToBlocks(text))).toBeNull();
  }
});

test("an escaped mark is text", () => {
  expect(textToBlocks("\\*\\*a\\*\\* \\[b](https://c.example)\n\\- d\n1986\\. e")).toEqual([
    paragraph("**a** [b](https://c.example)\n- d\n1986. e"),
  ]);
});

test("stored text that looks marked is escaped, and only where it has to be", () => {
  const stored = "**a** Guaranteed* [1] 2*3*4\n- b\n# c\n1. d\n1986. e\n> f\n!! g";
  const text =
    "\\*\\*a\\** Guaranteed* [1] 2\\*3\\*4\n\\- b\n\\# c\n1\\. d\n1986. e\n\\> f\n\\!! g";
  expect(blocksToText([paragraph(stored)])).toBe(text);
  expect(textToBlocks(text)).toEqual([paragraph(stored)]);
});

test("what PostgreSQL cannot store is removed or replaced", () => {
  expect(textToBlocks("a\0b \ud800 **c\udc00**")).toEqual([
    paragraph("ab \ufffd c\ufffd", { type: "bold", start: 5, end: 7 }),
  ]);
});

const syntax = [
  ...'ab \n*\\[]()#->!.1_&<"\t\r\0\u00a0\u2028é😀\ud83d',
  "\n\n",
  "**",
  "***",
  "\n- ",
  "\n1. ",
  "\n2. ",
  "\n> ",
  "\n!! ",
  "\n## ",
  "|",
  " | ",
  "\n| ",
  " |\n",
  "\n| --- | --- |\n",
  "<br>",
  "](https://e.example/a_(b)?c=1&copy;=2)",
  "](mailto:a@b.example)",
  "](javascript:x)",
  '\n![a\\]](/images/b.png "16x9")\n',
  '\n![a](/images/800/uploads/b.png "16x9 half")\n',
  "1986. ",
];
const texts = fc
  .array(fc.constantFrom(...syntax), { maxLength: 60 })
  .map((parts) => parts.join(""));

test("blocks that come from a text are valid and survive text and back, and text is stable after one pass", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const blocks = textToBlocks(text);
      expect(parseBlocks(blocks)).toEqual(blocks);
      expect(JSON.stringify(blocks)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      const written = blocksToText(blocks);
      expect(textToBlocks(written)).toEqual(blocks);
      expect(blocksToText(textToBlocks(written))).toBe(written);
    }),
    { numRuns: 300 },
  );
});

/** A line of text with overlapping marks, as the editor makes them from pasted text. */
const formatted = fc
  .record({
    text: fc
      .array(fc.constantFrom(..."abc*[]()\\ .é#->!1|&_`~", "<br>", "1. ", "- "), {
        minLength: 1,
        maxLength: 20,
      })
      .map((parts) => parts.join("").trim())
      .filter(Boolean),
    cuts: fc.array(fc.nat(20), { maxLength: 8 }),
    links: fc.array(fc.nat(20), { maxLength: 4 }),
  })
  .map(({ text, cuts, links }) => {
    const ranges = (offsets: readonly number[]) => {
      const sorted = [...new Set(offsets)].filter((at) => at <= text.length).sort((a, b) => a - b);
      return sorted.flatMap((start, index) => {
        const end = sorted[index + 1];
        const isRange = index % 2 === 0 && end !== undefined && text.slice(start, end).trim();
        return isRange ? [{ start, end }] : [];
      });
    };
    const href = "https://example.com/a)b(\\*&lt;";
    const marks: Mark[] = [
      ...ranges(cuts.slice(0, 4)).map((range) => ({ type: "bold" as const, ...range })),
      ...ranges(cuts.slice(4)).map((range) => ({ type: "italic" as const, ...range })),
      ...ranges(links).map((range) => ({ type: "link" as const, ...range, href })),
    ];
    return { text, marks: normalizeMarks(text, marks) };
  });
/** Up to three lines, with blank ones between them. */
const lines = fc
  .array(formatted, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.reduce((whole, line, at) => append(whole, "\n".repeat(at), line)));
const image: Block = {
  type: "image",
  src: "https://example.com/a_(b).png",
  alt: "",
  width: 16,
  height: 9,
};
const someLines = fc.array(lines, { minLength: 1, maxLength: 3 });
const documents = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom("paragraph", "quote", "note"), lines)
      .map(([type, text]) => textBlock(type, [text])),
    fc
      .tuple(fc.constantFrom("list", "numbered-list"), someLines)
      .map(([type, items]) => textBlock(type, items)),
    formatted.map(({ text }) => textBlock("heading", [{ text }])),
    fc
      .tuple(fc.array(fc.tuple(lines, lines), { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([rows, header]) => tableBlock(rows, header))
      .filter((table) => table !== null),
    fc
      .tuple(
        formatted,
        fc.constantFrom({}, { size: "half" } as const, { size: "portrait" } as const),
      )
      .map(([{ text }, size]): Block => ({ ...image, alt: text, ...size })),
  ),
  { minLength: 1, maxLength: 5 },
);

test("any document survives text and back", () => {
  fc.assert(
    fc.property(documents, (blocks) => {
      expect(textToBlocks(blocksToText(blocks))).toEqual(blocks);
    }),
    { numRuns: 500, seed: 1 },
  );
});

test.each([
  ["words", "word and ".repeat(55_000)],
  ["unclosed emphasis", "**a ".repeat(125_000)],
  ["open brackets", "[".repeat(500_000)],
  ["unclosed links", "[a](".repeat(125_000)],
  ["spaces", `a${" ".repeat(500_000)}b`],
])("500 kB of %s are one paragraph that survives text and back", (_what, text) => {
  const blocks = textToBlocks(text);
  expect(blocks.map(({ type }) => type)).toEqual(["paragraph"]);
  expect(JSON.stringify(textToBlocks(blocksToText(blocks)))).toBe(JSON.stringify(blocks));
});

test("a list of 2,000 items survives text and back", () => {
  const items = Array.from({ length: 2000 }, (_, index) => `Item ${index}`);
  for (const type of ["list", "numbered-list"] as const) {
    expect(textToBlocks(blocksToText([{ type, items }]))).toEqual([{ type, items }]);
  }
});

test("to compare versions, content is read without its marks", () => {
  const text = "## A\n\n**b** [c](/contact)\n\n- d\n- e\n\n| f | g |\n| --- | --- |\n| h | i |";
  const blocks = [...textToBlocks(text), { ...image, alt: "An oak" }, { type: "x" }];
  expect(readableText(blocks)).toBe("A\n\nb c\n\n• d\n• e\n\nf | g\nh | i\n\n[Image: An oak]");
  expect(readableText([{ ...image, alt: "Ada", size: "portrait" }])).toBe(
    "[Image, portrait beside the text: Ada]",
  );
});
