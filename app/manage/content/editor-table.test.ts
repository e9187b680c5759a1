// @vitest-environment happy-dom
import { Editor, type JSONContent } from "@tiptap/core";
import { Fragment, Slice } from "@tiptap/pm/model";
import { handlePaste, toggleHeader } from "@tiptap/pm/tables";
import { afterEach, expect, test, vi } from "vitest";
import { parseBlocks } from "../../posts/blocks.tsx";
import { toBlocks, toDocument } from "./editor-blocks.ts";
import { editorExtensions, image } from "./editor-schema.ts";
import { textToBlocks } from "./marked-blocks.ts";

let editor: Editor;

afterEach(() => editor.destroy());

/** Opens the editor with a text, and puts the cursor at the end of the first part of it that equals `words`. */
function open(text: string, words: string) {
  const content: JSONContent = toDocument(textToBlocks(text));
  editor = new Editor({ extensions: [...editorExtensions, image], content, injectCSS: false });
  editor.commands.setTextSelection(placeOf(words));
}

function placeOf(words: string): number {
  let place = 0;
  editor.state.doc.descendants((node, at) => {
    if (node.text === words) place = at + node.nodeSize;
  });
  return place;
}

function press(key: string, shiftKey = false) {
  const event = new KeyboardEvent("keydown", { key, shiftKey });
  editor.view.someProp("handleKeyDown", (handle) => handle(editor.view, event));
}

const rows = () => {
  const [block] = toBlocks(editor.state.doc);
  return (block as { rows?: string[][] } | undefined)?.rows;
};

test("Tab goes to the next cell and adds a row behind a last one with words, Enter breaks the line", () => {
  open("| a | b |\n| --- | --- |\n| c | d |", "b");
  press("Tab");
  editor.commands.insertContent("1");
  press("Tab", true);
  press("Enter");
  editor.commands.insertContent("2");
  press("Tab");
  press("Tab");
  press("Tab");
  editor.commands.insertContent("e");
  expect(rows()).toEqual([
    ["a", "\n2"],
    ["1", "d"],
    ["e", ""],
  ]);
});

test("the header is the whole first row, whatever is pasted into it or below", () => {
  open("| a | b |\n| --- | --- |\n| c | d |", "b");
  const types = () => {
    const { firstChild: table } = editor.state.doc;
    return table?.children.map(({ children }) => children.map(({ type }) => type.name).join(" "));
  };
  const [cell, headerCell] = ["cell", "headerCell"].map((type) => ({
    type: "table",
    content: [{ type: "row", content: [{ type, content: [{ type: "paragraph" }] }] }],
  }));
  for (const [words, pasted] of [
    ["b", cell],
    ["d", headerCell],
  ] as const) {
    editor.commands.setTextSelection(placeOf(words));
    const node = editor.schema.nodeFromJSON(pasted);
    handlePaste(editor.view, new ClipboardEvent("paste"), new Slice(Fragment.from(node), 0, 0));
  }
  expect(types()).toEqual(["headerCell headerCell", "cell cell"]);
  expect(rows()).toEqual([
    ["a", ""],
    ["c", ""],
  ]);
  editor.commands.command(({ state, dispatch }) => toggleHeader("row")(state, dispatch));
  expect(types()).toEqual(["cell cell", "cell cell"]);
});

test("blocks that are copied into a cell become its lines, and images follow the table, which stays whole", () => {
  const image = '![An oak](/images/posts/old-oak.svg "16x9")';
  open(`## One\n\n- **Two**\n- Three\n\n${image}\n\n> Four\n\n| f | g |`, "One");
  const { dom } = editor.view.serializeForClipboard(editor.state.doc.slice(0));
  editor.destroy();
  open("| a | b |\n| c | d |\n\nLast", "a");
  editor.view.pasteHTML(dom.innerHTML);
  expect(parseBlocks(toBlocks(editor.state.doc))).toEqual(
    textToBlocks(
      `| aOne<br>**Two**<br>Three<br>Four<br>f<br>g | b |\n| c | d |\n\n${image}\n\nLast`,
    ),
  );
});

test("all blocks that are copied stay what they are", () => {
  const text =
    "!! **Noted**\n\n> Quoted\n\n1. One\n2. Two\n\n| a | *b* |\n| --- | --- |\n| c | d |";
  open(text, "Two");
  const { dom } = editor.view.serializeForClipboard(editor.state.doc.slice(0));
  editor.destroy();
  open("Last", "Last");
  editor.view.pasteHTML(dom.innerHTML);
  expect(toBlocks(editor.state.doc)).toEqual(textToBlocks(`Last\n\n${text}`));
});

test("a table grows up to the limits of the database, and says why it does not grow further", () => {
  const lines = ["| a |", ...Array(4998).fill("| b |"), "| c |"];
  open(lines.join("\n"), "c");
  const told = vi.fn();
  editor.on("tableTooLarge", told);
  press("Tab");
  expect(told).toHaveBeenCalledOnce();
  expect(rows()).toHaveLength(5000);
  expect(rows()?.at(-1)).toEqual(["c"]);
});
