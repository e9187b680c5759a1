// Inserts what is pasted. A cell of a table has text alone, so that other blocks would split the table.
import type { Editor } from "@tiptap/core";
import { Fragment, Slice } from "@tiptap/pm/model";
import { findTable, handlePaste } from "@tiptap/pm/tables";
import { parseBlocks, textsOf } from "../../posts/blocks.tsx";
import type { Json } from "../../supabase/database.ts";
import { toBlocks, toNodes } from "./editor-blocks.ts";
import { textBlock } from "./marked-blocks.ts";
import { append, nothing } from "./read-text.ts";

/** Puts blocks in the place of the selection; a single paragraph continues the text there. */
export function insertBlocks(editor: Editor, blocks: Json[]): void {
  const isInTable = editor.isActive("table");
  if (isInTable && fillCells(editor, blocks)) return;
  const nodes = toNodes(isInTable ? [onLines(blocks)] : blocks);
  const [first] = nodes;
  const isText = nodes.length === 1 && first?.type === "paragraph";
  editor.commands.insertContent(isText ? (first.content ?? []) : nodes);
}

/** Inserts what was copied in this editor into a cell. @returns false for what ProseMirror inserts without splitting the table */
export function insertIntoCell(editor: Editor, { content }: Slice): boolean {
  const table = findTable(editor.state.selection.$from);
  const isCells = content.content.every(({ type }) => type.spec.tableRole);
  const isText = content.childCount === 1 && content.firstChild?.type.name === "paragraph";
  if (!table || isCells || isText) return false;
  const blocks = toBlocks({ children: content.content });
  const hasText = (block: Json) => parseBlocks([block]).some((each) => textsOf(each).length > 0);
  const others = toNodes(blocks.filter((block) => !hasText(block)));
  const behind = table.pos + table.node.nodeSize;
  editor.commands.insertContentAt(behind, others, { updateSelection: false });
  const texts = blocks.filter(hasText);
  if (texts.length > 0) insertBlocks(editor, texts);
  return true;
}

/** Puts the cells of a pasted table in the place of those from the cursor on. */
function fillCells({ state, view }: Editor, blocks: Json[]): boolean {
  const [table, ...others] = toNodes(blocks);
  if (table?.type !== "table" || others.length > 0) return false;
  const slice = new Slice(Fragment.from(state.schema.nodeFromJSON(table)), 0, 0);
  return handlePaste(view, new ClipboardEvent("paste"), slice);
}

/** The texts of blocks as lines, for a cell. */
function onLines(blocks: Json[]): Json {
  const texts = parseBlocks(blocks)
    .flatMap((block) => textsOf(block))
    .map(({ text, marks = [] }) => ({ text, marks: [...marks] }));
  const joined = texts.reduce((first, next) => append(first, "\n", next), texts.shift() ?? nothing);
  return textBlock("paragraph", [joined]);
}
