import fc from "fast-check";
import { expect, test } from "vitest";
import { parseBlocks } from "../../posts/blocks.tsx";
import type { Json } from "../../supabase/database.ts";
import { blocksToText } from "./marked-blocks.ts";
import { mergeBlocks } from "./merge-blocks.ts";

const textOf = (content: Json) => blocksToText(parseBlocks(content));
const video = (id: number) => ({ type: "video", id });
const p = (text: string, extra: Record<string, Json> = {}) => ({
  type: "paragraph",
  text,
  ...extra,
});

test("correcting one paragraph leaves all other blocks as they are stored", () => {
  const content = [
    { id: 1, text: "A heading", type: "heading" },
    p("Old", { id: 2 }),
    { type: "list", items: ["one", "", " two "], nested: { deep: [1] } },
    video(4),
    p(" spaces\n\nand **stars** ", { marks: "broken" }),
    { type: "quote", text: "Q", marks: [{ type: "bold", start: 0, end: 99 }] },
    null,
  ];
  const text = textOf(content);
  expect(text).toContain("Old");
  const expected = content.map((block, index) => (index === 1 ? p("New") : block));
  expect(mergeBlocks(content, text.replace("Old", "New"))).toEqual(expected);
});

test("unchanged text keeps the content, also with other white space around it", () => {
  const content = [video(1), p("a"), p(""), { type: "list", items: [] }, p("a"), video(2)];
  expect(mergeBlocks(content, textOf(content))).toEqual(content);
  expect(mergeBlocks(content, `\n\n${textOf(content).replace("\n\n", "\n \n\n\n")}\n`)).toEqual(
    content,
  );
});

test("blocks that the text does not show keep their place between their neighbors", () => {
  const content = [video(1), p("a"), video(2), p("b"), video(3), p("c"), video(4)];
  const kept = [video(1), video(2), video(3), video(4)];
  expect(mergeBlocks(content, "A\n\nB\n\nc")).toEqual([
    video(1),
    p("A"),
    video(2),
    p("B"),
    video(3),
    p("c"),
    video(4),
  ]);
  expect(mergeBlocks(content, "a\n\nb1\n\nb2\n\nc")).toEqual([
    video(1),
    p("a"),
    video(2),
    p("b1"),
    p("b2"),
    video(3),
    p("c"),
    video(4),
  ]);
  expect(mergeBlocks(content, "a\n\nc")).toEqual([
    video(1),
    p("a"),
    ...kept.slice(1, 3),
    p("c"),
    video(4),
  ]);
  expect(mergeBlocks(content, "")).toEqual(kept);
});

test("paragraphs between two changes keep their fields, and hidden blocks move with them", () => {
  const content = [p("a", { id: 1 }), p("b", { id: 2 }), p("c", { id: 3 })];
  expect(mergeBlocks(content, "new\n\na\n\nb\n\nc")).toEqual([p("new"), ...content]);
  expect(mergeBlocks(content, "a\n\nb")).toEqual(content.slice(0, 2));
  const three = [p("a"), p("b", { id: 2 }), video(1), p("c")];
  expect(mergeBlocks(three, "A\n\nnew\n\nb\n\nC")).toEqual([
    p("A"),
    p("new"),
    ...three.slice(1, 3),
    p("C"),
  ]);
});

const text = fc.string({ unit: fc.constantFrom(..."ab *[]()\\-#>.1!|<br>\n"), maxLength: 12 });
const marks = fc.array(
  fc.record({
    type: fc.constantFrom("bold", "italic", "link", "color"),
    start: fc.nat(8),
    end: fc.nat(8),
    href: fc.constantFrom("https://example.com", "javascript:x"),
  }),
  { maxLength: 3 },
);
const block: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    type: fc.constantFrom("paragraph", "heading", "quote", "note", "video"),
    text,
    marks,
  }),
  fc.record({ type: fc.constantFrom("paragraph"), text: fc.constantFrom("a", "b"), id: fc.nat(9) }),
  fc.record({
    type: fc.constantFrom("list", "numbered-list"),
    items: fc.array(text, { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant("table"),
    rows: fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 }),
    header: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("image"),
    src: fc.constantFrom("/images/a.png", "https://example.com/a (1).png", "javascript:x"),
    alt: text,
    width: fc.nat(2),
    height: fc.constant(1),
    size: fc.constantFrom("half", "portrait", "huge"),
  }),
  fc.constantFrom<Json>(null, 7, "x", {}, []),
);
const contents = fc.array(block, { maxLength: 8 });

test("for any content, unchanged text changes nothing", () => {
  fc.assert(
    fc.property(contents, (content) => {
      expect(mergeBlocks(content, textOf(content))).toEqual(content);
    }),
    { numRuns: 500 },
  );
});

test("for any content, a change of one block leaves all others deeply equal", () => {
  fc.assert(
    fc.property(contents, block, contents, (before, changed, after) => {
      // Only blocks that the text shows can be changed.
      fc.pre(textOf([changed]).trim() !== "");
      const withBlock = (other: Json) => [...before, other, ...after];
      const other = p("Changed words");
      expect(mergeBlocks(withBlock(changed), textOf(withBlock(other)))).toEqual(withBlock(other));
    }),
    { numRuns: 500 },
  );
});

test("for any content, blocks that the text does not show are never lost", () => {
  fc.assert(
    fc.property(contents, text, (content, other) => {
      const hidden = content.filter((item) => textOf([item]).trim() === "");
      const merged = mergeBlocks(content, other);
      const stillHidden = merged.filter((item) => hidden.includes(item));
      expect(stillHidden).toHaveLength(hidden.length);
      expect(hidden.filter((item) => !stillHidden.includes(item))).toEqual([]);
    }),
  );
});
