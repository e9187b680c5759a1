// The blocks of a post as nodes and marks of Tiptap, under the same names. Each looks as in app/posts/blocks.tsx.
import {
  type Command,
  type Editor,
  Extension,
  type InputRule,
  Mark,
  Node,
  textblockTypeInputRule,
  wrappingInputRule,
} from "@tiptap/core";
import { Dropcursor, Gapcursor, Placeholder, TrailingNode, UndoRedo } from "@tiptap/extensions";
import type { DOMOutputSpec, Node as ProseMirrorNode } from "@tiptap/pm/model";
import { type EditorState, Plugin, type Transaction } from "@tiptap/pm/state";
import { addRowAfter, goToNextCell, selectedRect, tableEditing } from "@tiptap/pm/tables";
import { blockClasses, fitsTable } from "../../posts/blocks.tsx";
import {
  type MarkedType,
  type MarkedTypeName,
  markedTypeNames,
  markedTypes,
  type WholeLineBlock,
  wholeLineTypeNames,
  wholeLineTypes,
} from "./block-types.ts";
import { insertIntoCell } from "./insert-blocks.ts";

declare module "@tiptap/core" {
  interface EditorEvents {
    /** A change was refused, because a table would be larger than the database takes. */
    tableTooLarge: undefined;
  }
}

/** The block as it is stored: where its text did not change, and for fields that the editor does not know. */
const stored = { stored: { default: null, rendered: false, keepOnSplit: false } };

/** A paragraph without a type. */
function textNode(name: MarkedTypeName | "paragraph", type?: MarkedType) {
  return Node.create({
    name,
    group: "block",
    ...(type?.shape === "line" ? { content: "text*", marks: "" } : { content: "inline*" }),
    defining: type !== undefined,
    // Tiptap makes the first type of block the default.
    priority: type ? 100 : 1000,
    addAttributes: () => stored,
    ...shown(name, type?.element ?? "p", type?.html),
    addInputRules(): InputRule[] {
      return type ? [textblockTypeInputRule({ find: typed(type), type: this.type })] : [];
    },
  });
}

function listNode(name: MarkedTypeName, type: MarkedType) {
  return Node.create({
    name,
    // Tiptap finds lists by this group.
    group: "block list",
    content: "item+",
    addAttributes: () => stored,
    ...shown(name, type.element),
    addInputRules() {
      return [wrappingInputRule({ find: typed(type), type: this.type })];
    },
  });
}

function shown(name: keyof typeof blockClasses, tag: string, html?: DOMOutputSpec) {
  return {
    // Without the label of a box.
    parseHTML: () => [{ tag, contentElement: html && "p:last-child" }],
    renderHTML: (): DOMOutputSpec => html ?? [tag, { class: blockClasses[name] }, 0],
  };
}

/** What starts a line to make its block while typing. */
function typed({ mark, typed = mark }: MarkedType): RegExp {
  return new RegExp(`^${typed.source}\\s$`);
}

/** A block without words and without a view of its own. */
function wholeLineNode(name: WholeLineBlock["type"]) {
  const { element } = wholeLineTypes[name];
  if (!element) return [];
  return Node.create({
    name,
    group: "block",
    atom: true,
    draggable: true,
    addAttributes: () => stored,
    parseHTML: () => [{ tag: element }],
    renderHTML: () => [element, { class: blockClasses[name] }],
  });
}

const item = Node.create({
  name: "item",
  content: "paragraph",
  defining: true,
  parseHTML: () => [{ tag: "li" }],
  renderHTML: () => ["li", 0],
  addKeyboardShortcuts() {
    // An empty item ends the list.
    return { Enter: () => this.editor.commands.splitListItem(this.name) };
  },
});

const lineBreak = Node.create({
  name: "break",
  group: "inline",
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: "br" }],
  renderHTML: () => ["br"],
  renderText: () => "\n",
  addKeyboardShortcuts() {
    return {
      "Shift-Enter": () =>
        // A heading has one line.
        this.editor.isActive("heading") || this.editor.commands.insertContent({ type: this.name }),
    };
  },
});

/** A block that the editor does not know. */
const unknown = Node.create({
  name: "unknown",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    stored: {
      default: null,
      parseHTML: (element: Element) => JSON.parse(element.getAttribute("data-stored") ?? "null"),
      renderHTML: ({ stored }) => ({ "data-stored": JSON.stringify(stored) }),
    },
  }),
  parseHTML: () => [{ tag: "div[data-stored]" }],
  renderHTML: ({ node, HTMLAttributes }) => [
    "div",
    { ...HTMLAttributes, class: "rounded-md border border-dashed border-edge p-4 text-muted" },
    `A part that this editor cannot show (${Object(node.attrs.stored).type ?? "no type"}). It is kept as it is.`,
  ],
});

/** An image; without `src`, the file named `upload` is being uploaded. */
export const image = Node.create({
  name: "image",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    ...stored,
    // No address that a browser would load where the view is not used.
    src: {
      default: null,
      parseHTML: (element: Element) => element.getAttribute("data-src"),
      renderHTML: ({ src }) => ({ "data-src": src }),
    },
    alt: { default: "", parseHTML: (element: Element) => element.getAttribute("alt") },
    width: { default: null },
    height: { default: null },
    size: { default: null },
    upload: { default: null, rendered: false },
  }),
  parseHTML: () => [{ tag: "img[data-src]" }],
  renderHTML: ({ HTMLAttributes }) => ["img", HTMLAttributes],
});

/** What prosemirror-tables needs to know of the nodes of tables. */
const tableRoles: Readonly<Record<string, string>> = {
  table: "table",
  row: "row",
  cell: "cell",
  headerCell: "header_cell",
};

const table = Node.create({
  name: "table",
  group: "block",
  content: "row+",
  isolating: true,
  addAttributes: () => stored,
  parseHTML: () => [{ tag: "table" }],
  renderHTML: () => [
    "div",
    { class: blockClasses.table },
    ["table", { class: blockClasses.rows }, ["tbody", { class: "divide-y divide-line" }, 0]],
  ],
  extendNodeSchema: ({ name }) => {
    const tableRole = tableRoles[name];
    return tableRole ? { tableRole } : {};
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    const filterTransaction = ({ docChanged, doc }: Transaction) => {
      const isAccepted = !docChanged || doc.children.every(fits);
      if (!isAccepted) editor.emit("tableTooLarge", undefined);
      return isAccepted;
    };
    return [
      new Plugin({
        props: { handlePaste: (_view, _event, slice) => insertIntoCell(editor, slice) },
        filterTransaction,
        appendTransaction: (transactions, _before, state) =>
          transactions.some(({ docChanged }) => docChanged) ? withHeadersOnTop(state) : null,
      }),
      tableEditing(),
    ];
  },
  addKeyboardShortcuts() {
    const isIn = () => this.editor.isActive(this.name);
    return {
      Enter: () => isIn() && this.editor.commands.insertContent({ type: "break" }),
      /** Adds a row behind the last one. An empty last row lets the key leave the field. */
      Tab: () => isIn() && (this.editor.commands.command(goTo(1)) || addRow(this.editor)),
      "Shift-Tab": () => isIn() && this.editor.commands.command(goTo(-1)),
    };
  },
});

function fits({ type, childCount, firstChild }: ProseMirrorNode): boolean {
  return type.name !== "table" || fitsTable(childCount, firstChild?.childCount ?? 0);
}

/** A header is a whole first row, also after cells of other tables were pasted. */
function withHeadersOnTop({ doc, schema, tr }: EditorState): Transaction | null {
  doc.forEach((table, start) => {
    if (table.type.name !== "table") return;
    const isHeader = table.firstChild?.children.some(({ type }) => type.name === "headerCell");
    table.forEach((row, rowAt, index) => {
      const type = schema.nodes[index === 0 && isHeader ? "headerCell" : "cell"];
      row.forEach((cell, cellAt) => {
        // The content of the table and of the row begin behind one token each.
        if (cell.type !== type) tr.setNodeMarkup(start + 1 + rowAt + 1 + cellAt, type);
      });
    });
  });
  return tr.docChanged ? tr : null;
}

function goTo(direction: 1 | -1): Command {
  return ({ state, dispatch }) => goToNextCell(direction)(state, dispatch);
}

function addRow(editor: Editor): boolean {
  const { map, table } = selectedRect(editor.state);
  if (!table.child(map.height - 1).textContent) return false;
  const add: Command = ({ state, dispatch }) => addRowAfter(state, dispatch);
  return editor.chain().command(add).command(goTo(1)).run();
}

const row = Node.create({
  name: "row",
  content: "(cell | headerCell)+",
  parseHTML: () => [{ tag: "tr" }],
  renderHTML: () => ["tr", 0],
});

function cellNode(name: "cell" | "headerCell", tag: "td" | "th") {
  return Node.create({
    name,
    content: "paragraph",
    isolating: true,
    // As prosemirror-tables wants it: no cell is over several columns or rows.
    addAttributes: () => ({
      colspan: { default: 1, rendered: false, parseHTML: () => 1 },
      rowspan: { default: 1, rendered: false, parseHTML: () => 1 },
      colwidth: { default: null, rendered: false, parseHTML: () => null },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, { class: blockClasses[name] }, 0],
  });
}

function emphasis(name: "bold" | "italic", tag: string, others: string[], key: string) {
  return Mark.create({
    name,
    parseHTML: () => [tag, ...others].map((tag) => ({ tag })),
    renderHTML: () => [tag, 0],
    addKeyboardShortcuts() {
      return { [`Mod-${key}`]: () => this.editor.commands.toggleMark(name) };
    },
  });
}

const link = Mark.create({
  name: "link",
  inclusive: false,
  addAttributes: () => ({ href: {} }),
  parseHTML: () => [{ tag: "a[href]" }],
  renderHTML: ({ HTMLAttributes }) => [
    "a",
    { ...HTMLAttributes, title: HTMLAttributes.href, class: "text-evergreen underline" },
    0,
  ],
});

const keys = Extension.create({
  name: "keys",
  addKeyboardShortcuts: () => ({
    /** At the start of an item or a special block, makes it a paragraph. */
    Backspace({ editor }) {
      const { empty, $from } = editor.state.selection;
      const isPlain = $from.parent.type.name === "paragraph" && $from.depth === 1;
      return empty && $from.parentOffset === 0 && !isPlain && editor.commands.clearNodes();
    },
  }),
});

/** Without the view of images, for tests. */
export const blockExtensions = [
  Node.create({ name: "doc", topNode: true, content: "block+" }),
  Node.create({ name: "text", group: "inline" }),
  textNode("paragraph"),
  ...markedTypeNames.map((name) => {
    const type = markedTypes[name];
    return type.shape === "items" ? listNode(name, type) : textNode(name, type);
  }),
  ...wholeLineTypeNames.flatMap(wholeLineNode),
  item,
  table,
  row,
  cellNode("cell", "td"),
  cellNode("headerCell", "th"),
  unknown,
  lineBreak,
  // The order in which they enclose text, as visitors see it.
  link,
  emphasis("bold", "strong", ["b"], "b"),
  emphasis("italic", "em", ["i"], "i"),
];

export const editorExtensions = [
  ...blockExtensions,
  keys,
  UndoRedo,
  Dropcursor,
  Gapcursor,
  TrailingNode,
  Placeholder.configure({ placeholder: "Write here…", showOnlyWhenEditable: false }),
];
