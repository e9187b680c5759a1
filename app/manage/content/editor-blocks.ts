// Converts blocks to the document of the editor and back. Blocks that are not edited stay exactly as they are stored.
import type { JSONContent } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type Block, cellsOf, parseBlocks, textsOf } from "../../posts/blocks.tsx";
import type { Mark, MarkedText } from "../../posts/formatted-text.tsx";
import type { Json } from "../../supabase/database.ts";
import { isWholeLine, markedTypes } from "./block-types.ts";
import { tableBlock, textBlock } from "./marked-blocks.ts";
import { normalizeMarks } from "./marked-text.ts";

export function toDocument(content: Json): JSONContent {
  const nodes = toNodes(Array.isArray(content) ? content : []);
  return { type: "doc", content: nodes.length > 0 ? nodes : [{ type: "paragraph" }] };
}

export function toNodes(blocks: readonly Json[]): JSONContent[] {
  return blocks.map(nodeOf);
}

function nodeOf(stored: Json): JSONContent {
  const [block] = parseBlocks([stored]);
  if (!block || ("items" in block && block.items.length === 0)) {
    return { type: "unknown", attrs: { stored } };
  }
  const { type } = block;
  if (isWholeLine(block)) return { type, attrs: { ...block, stored } };
  if (block.type === "table") {
    const rows = cellsOf(block).map((row, index) => ({
      type: "row",
      content: row.map((cell) => ({
        type: block.header && index === 0 ? "headerCell" : "cell",
        content: [{ type: "paragraph", content: inlineNodes(cell) }],
      })),
    }));
    return { type, attrs: { stored }, content: rows };
  }
  if (block.type !== "paragraph" && markedTypes[block.type].shape === "line") {
    const text = textsOf(block)
      .map(({ text }) => text)
      .join(" ");
    return { type, attrs: { stored }, content: text ? [{ type: "text", text }] : [] };
  }
  const texts = textsOf(block).map(inlineNodes);
  const items = texts.map((content) => ({
    type: "item",
    content: [{ type: "paragraph", content }],
  }));
  return { type, attrs: { stored }, content: "items" in block ? items : texts[0] };
}

function inlineNodes({ text, marks = [] }: MarkedText): JSONContent[] {
  const breaks = [...text.matchAll(/\n/g)].flatMap(({ index }) => [index, index + 1]);
  const edges = [0, text.length, ...breaks, ...marks.flatMap(({ start, end }) => [start, end])];
  const cuts = [...new Set(edges)].sort((a, b) => a - b);
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index] ?? 0;
    const part = text.slice(start, end);
    const around = marks
      .filter((mark) => mark.start <= start && end <= mark.end)
      .map(({ type, ...mark }) => ({ type, ...("href" in mark && { attrs: { href: mark.href } }) }))
      // In the order of the schema.
      .sort((a, b) => "lbi".indexOf(a.type.charAt(0)) - "lbi".indexOf(b.type.charAt(0)));
    return { ...(part === "\n" ? { type: "break" } : { type: "text", text: part }), marks: around };
  });
}

/** The blocks of a document. Leaves out what is empty, and images that are not uploaded yet. */
export function toBlocks({ children }: Pick<Node, "children">): Json[] {
  return children.flatMap((node) => {
    const written = known.get(node) ?? writeBlock(node.toJSON());
    known.set(node, written);
    return written;
  });
}

/** The block of each node, or none. Nodes never change. */
const known = new WeakMap<Node, Json[]>();

function writeBlock(node: JSONContent): Json[] {
  const stored: Json = node.attrs?.stored ?? null;
  if (node.type === "unknown") return [stored];
  const block = readNode(node);
  const written = withoutEmpty(block);
  const parts: Record<string, Json> = Object(stored);
  const { text, marks, items, itemMarks, rows, rowMarks, header, size, ...others } = parts;
  if (others.type !== node.type) return written;
  if (JSON.stringify(block) === JSON.stringify(readNode(nodeOf(stored)))) return [stored];
  return written.map((block) => ({ ...others, ...block }));
}

/** @returns null for a table without words, and for an image that is not uploaded yet */
function readNode({ type = "", attrs = {}, content = [] }: JSONContent): Block | null {
  if (isWholeLine({ type })) {
    return parseBlocks([{ ...attrs, type }])[0] ?? null;
  }
  if (type === "table") {
    const rows = content.map((row) => row.content ?? []);
    const isHeader = rows[0]?.every((cell) => cell.type === "headerCell") ?? false;
    const texts = rows.map((row) => row.map((cell) => readInline(cell.content?.[0]?.content)));
    return tableBlock(texts, isHeader);
  }
  const isList = content[0]?.type === "item";
  const texts = isList ? content.map((item) => item.content?.[0]?.content) : [content];
  // Each other node has the name of its type of block.
  return textBlock(type as Parameters<typeof textBlock>[0], texts.map(readInline));
}

function readInline(nodes: readonly JSONContent[] = []): MarkedText {
  const marks: Mark[] = [];
  let text = "";
  for (const node of nodes) {
    const start = text.length;
    // PostgreSQL rejects NUL and lone surrogates.
    text += node.type === "break" ? "\n" : (node.text ?? "").replaceAll("\0", " ").toWellFormed();
    for (const { type, attrs } of node.marks ?? []) {
      // The schema has these marks alone.
      marks.push({ type, ...attrs, start, end: text.length } as Mark);
    }
  }
  return { text, marks: normalizeMarks(text, marks) };
}

/** None for a block without words. A list loses its empty items. */
function withoutEmpty(block: Block | null): Block[] {
  if (!block) return [];
  if (isWholeLine(block) || block.type === "table") return [block];
  const texts = textsOf(block).filter(({ text }) => text.trim());
  return texts.length > 0 ? [textBlock(block.type, texts)] : [];
}
