import { expect, test } from "vitest";
import { parseBlocks } from "./blocks.ts";

test("the four block types are kept in order", () => {
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

test("content that is no list at all has no blocks", () => {
  for (const content of [null, undefined, {}, "text"]) expect(parseBlocks(content)).toEqual([]);
});
