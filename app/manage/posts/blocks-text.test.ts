import fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, blocksToText } from "../../posts/post-content.ts";
import { editedBlocks, textToBlocks } from "./blocks-text.ts";

const blocks: Block[] = [
  { type: "heading", text: "First" },
  { type: "paragraph", text: "Two\nlines" },
  { type: "list", items: ["one", "two"] },
  { type: "quote", text: "Said" },
];

test("blank lines separate paragraphs, with any line endings and spaces on them", () => {
  expect(textToBlocks("\r\n\r\nOne\r\n \t\r\nTwo\nstill two\n\n\n\n Three ")).toEqual([
    { type: "paragraph", text: "One" },
    { type: "paragraph", text: "Two\nstill two" },
    { type: "paragraph", text: "Three" },
  ]);
});

test("blank text has no blocks", () => {
  for (const text of ["", " ", "\n\n \r\n"]) expect(textToBlocks(text)).toEqual([]);
});

test("untouched text keeps its blocks; touched text becomes paragraphs", () => {
  expect(editedBlocks(blocks, blocksToText(blocks))).toBe(blocks);
  expect(
    editedBlocks(blocks, `${blocksToText(blocks)}!`).every(({ type }) => type === "paragraph"),
  ).toBe(true);
});

test("paragraphs survive the conversion to text and back", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", " ", "-", "\n", "\r", "\t") }),
      (text) => {
        const once = textToBlocks(text);
        expect(textToBlocks(blocksToText(once))).toEqual(once);
      },
    ),
  );
});
