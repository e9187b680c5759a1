import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getSchema } from "@tiptap/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../supabase/database.ts";
import { toBlocks, toDocument } from "./editor-blocks.ts";
import { blockExtensions, image } from "./editor-schema.ts";

const schema = getSchema([...blockExtensions, image]);

function documentOf(content: Json) {
  const document = schema.nodeFromJSON(toDocument(content));
  document.check();
  return document;
}

const text = fc.string({ unit: fc.constantFrom(..."ab \n\r\t😀*"), maxLength: 10 });
const marks = fc.array(
  fc.record({
    type: fc.constantFrom("bold", "italic", "link", "color"),
    start: fc.nat(9),
    end: fc.nat(9),
    href: fc.constantFrom("https://example.com", "/contact", "javascript:x"),
  }),
  { maxLength: 4 },
);
const extra = fc.record({ id: fc.nat(9), style: fc.constant({ deep: [1] }) }, { requiredKeys: [] });
const block: fc.Arbitrary<Json> = fc.oneof(
  fc
    .tuple(
      fc.record({
        type: fc.constantFrom("paragraph", "heading", "quote", "note", "video"),
        text: fc.oneof(text, fc.constant(7)),
        marks: fc.oneof(marks, fc.constant("broken")),
      }),
      extra,
    )
    .map(([block, fields]) => ({ ...block, ...fields })),
  fc.record({
    type: fc.constantFrom("list", "numbered-list"),
    items: fc.array(text, { maxLength: 3 }),
    itemMarks: fc.array(marks, { maxLength: 3 }),
    id: fc.nat(9),
  }),
  fc.record({
    type: fc.constant("table"),
    rows: fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 }),
    rowMarks: fc.array(fc.array(marks, { maxLength: 3 }), { maxLength: 3 }),
    header: fc.constantFrom(true, false, "yes"),
    id: fc.nat(9),
  }),
  fc.record({
    type: fc.constant("image"),
    src: fc.constantFrom("/images/a.png", "javascript:x"),
    alt: text,
    width: fc.nat(2),
    height: fc.constant(1),
    size: fc.constantFrom("half", "portrait", "huge"),
    id: fc.nat(9),
  }),
  fc.constantFrom<Json>(null, 7, "x", {}, []),
);

test("for any content, blocks become a valid document, and the document the same blocks", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), (content) => {
      expect(toBlocks(documentOf(content))).toEqual(content);
    }),
    { numRuns: 1000 },
  );
});

test("an edited block keeps the fields that the editor does not know, a split one once", () => {
  const content = [
    { type: "paragraph", text: "One", id: 1 },
    { text: "Two", type: "quote", id: 2 },
    { type: "video", id: 3 },
  ];
  const json = toDocument(content);
  json.content?.[1]?.content?.push({ type: "text", text: "!", marks: [{ type: "bold" }] });
  json.content?.push({ type: "paragraph" }, { type: "image", attrs: { upload: "1" } });
  json.content?.push({ type: "list", content: [itemOf("a"), itemOf("")] });
  const [one, two, ...others] = toBlocks(schema.nodeFromJSON(json));
  expect(one).toBe(content[0]);
  expect(two).toEqual({
    ...{ type: "quote", text: "Two!", id: 2 },
    marks: [{ type: "bold", start: 3, end: 4 }],
  });
  expect(others).toEqual([content[2], { type: "list", items: ["a"] }]);
});

test("an image gets another size, and is as wide as the text again", () => {
  const image = { type: "image", src: "/images/a.png", alt: "Ada", width: 16, height: 9, id: 1 };
  const resized = (stored: Json, size: string | null) => {
    const json = toDocument([stored]);
    Object.assign(json.content?.[0]?.attrs ?? {}, { size });
    return toBlocks(schema.nodeFromJSON(json));
  };
  expect(resized(image, "portrait")).toEqual([{ ...image, size: "portrait" }]);
  expect(resized({ ...image, size: "half" }, null)).toEqual([image]);
});

function itemOf(text: string) {
  const content = text ? [{ type: "text", text }] : [];
  return { type: "item", content: [{ type: "paragraph", content }] };
}

test("the sample posts become a document of blocks that the editor knows", () => {
  const seed = readFileSync(join(import.meta.dirname, "../../../supabase/seed.sql"), "utf8");
  const samples = [...seed.matchAll(/\$json\$(\[\s*\{"type"[\s\S]*?\])\$json\$/g)];
  expect(samples.length).toBeGreaterThan(2);
  for (const [, sample = ""] of samples) {
    const content: Json = JSON.parse(sample);
    const document = documentOf(content);
    expect(document.content.content.map(({ type }) => type.name)).not.toContain("unknown");
    expect(toBlocks(document)).toEqual(content);
  }
});
