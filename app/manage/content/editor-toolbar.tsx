import { Toolbar } from "@base-ui/react/toolbar";
import type { Command } from "@tiptap/core";
import { type Command as ProseMirrorCommand, TextSelection } from "@tiptap/pm/state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  selectedRect,
  toggleHeader,
} from "@tiptap/pm/tables";
import { type Editor, useEditorState } from "@tiptap/react";
import { Bold, type IconNode, Italic, Link2, Redo2, Table, Undo2 } from "lucide";
import { Icon } from "../../ui/icon.ts";
import {
  isListType,
  markedTypeNames,
  markedTypes,
  type WholeLineBlock,
  wholeLineTypeNames,
  wholeLineTypes,
} from "./block-types.ts";

interface Tool {
  label: string;
  icon: IconNode;
  /** The key, pressed with Ctrl or Command. */
  shortcut?: string;
  /** The block or mark that it makes of the selection. */
  name?: string;
  inserted?: WholeLineBlock["type"] | "table";
}

const tools: Tool[] = [
  ...markedTypeNames.map((name) => ({ name, ...markedTypes[name].button })),
  { name: "bold", label: "Bold", icon: Bold, shortcut: "B" },
  { name: "italic", label: "Italic", icon: Italic, shortcut: "I" },
  { name: "link", label: "Link", icon: Link2, shortcut: "K" },
  ...wholeLineTypeNames.map((inserted) => ({ inserted, ...wholeLineTypes[inserted].button })),
  { label: "Table", icon: Table, inserted: "table" },
  { label: "Undo", icon: Undo2, shortcut: "Z" },
  { label: "Redo", icon: Redo2, shortcut: "Shift+Z" },
];

/** What can be done with the table around the cursor. */
const tableTools: { label: string; run: ProseMirrorCommand }[] = [
  { label: "Row above", run: addRowBefore },
  { label: "Row below", run: addRowAfter },
  { label: "Column left", run: addColumnBefore },
  { label: "Column right", run: addColumnAfter },
  { label: "Header", run: toggleHeader("row") },
  {
    label: "Delete row",
    run: (state, dispatch) => deleteRow(state, dispatch) || deleteTable(state, dispatch),
  },
  {
    label: "Delete column",
    run: (state, dispatch) => deleteColumn(state, dispatch) || deleteTable(state, dispatch),
  },
  { label: "Delete table", run: deleteTable },
];

/** The first row of a new table is its header. */
function insertTable(editor: Editor): void {
  const row = (type: string) => ({
    type: "row",
    content: [1, 2, 3].map(() => ({ type, content: [{ type: "paragraph" }] })),
  });
  const rows = ["headerCell", "cell", "cell"].map(row);
  const insert: Command = ({ tr, state }) => {
    const first = tr.selection.from + 1;
    tr.replaceSelectionWith(state.schema.nodeFromJSON({ type: "table", content: rows }));
    tr.setSelection(TextSelection.near(tr.doc.resolve(first)));
    return true;
  };
  editor.chain().focus().command(insert).scrollIntoView().run();
}

interface EditorToolbarProps {
  editor: Editor;
  controls: string;
  disabled: boolean;
  onLink: () => void;
  onImage: () => void;
}

/** The toolbar is one tab stop; the arrow keys move between its buttons. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { editor, controls, disabled, onLink, onImage } = props;
  const { pressed, table } = useEditorState({
    editor,
    selector: ({ editor }) => ({
      pressed: tools.flatMap(({ name }) => (name && editor.isActive(name) ? name : [])),
      table: editor.isActive("table") ? describeTable(editor) : null,
    }),
  });

  function run({ label, name, inserted }: Tool) {
    const chain = editor.chain().focus();
    if (name === "bold" || name === "italic") chain.toggleMark(name).run();
    else if (name && isListType(name)) chain.toggleList(name, "item").run();
    else if (name === "link") onLink();
    else if (name) {
      const plain = chain.clearNodes();
      (editor.isActive(name) ? plain : plain.setNode(name)).run();
    } else if (inserted === "image") onImage();
    else if (inserted === "table") insertTable(editor);
    else if (inserted) chain.insertContent([{ type: inserted }, { type: "paragraph" }]).run();
    else if (label === "Undo") chain.undo().run();
    else chain.redo().run();
  }

  /** A table has no other blocks in its cells. An image comes behind it. */
  function isDisabled({ name, inserted }: Tool): boolean {
    const isMark = name === "bold" || name === "italic" || name === "link";
    return table !== null && ((name !== undefined && !isMark) || inserted === "table");
  }

  return (
    // The field keeps the focus and a phone its keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: the toolbars in it are the controls.
    <div
      onMouseDown={(event) => event.preventDefault()}
      className="content-tools sticky z-10 border-y border-line bg-surface"
    >
      <Toolbar.Root
        aria-label="Formatting"
        aria-controls={controls}
        aria-keyshortcuts="Alt+F10"
        disabled={disabled}
        className="flex gap-0.5 p-1 sm:-ml-2"
      >
        {tools.map((tool) => (
          <Toolbar.Button
            key={tool.label}
            title={tool.shortcut ? `${tool.label} (Ctrl+${tool.shortcut})` : tool.label}
            aria-pressed={tool.name ? pressed.includes(tool.name) : undefined}
            aria-keyshortcuts={tool.shortcut && `Control+${tool.shortcut} Meta+${tool.shortcut}`}
            disabled={isDisabled(tool)}
            onClick={() => run(tool)}
            className={`w-9 justify-center max-sm:w-auto max-sm:min-w-6 max-sm:flex-1 ${buttonClass}`}
          >
            <Icon drawing={tool.icon} className="size-4.5" />
            <span className="sr-only">{tool.label}</span>
          </Toolbar.Button>
        ))}
      </Toolbar.Root>
      {table && (
        <Toolbar.Root
          aria-label="Table"
          aria-controls={controls}
          disabled={disabled}
          className="flex gap-0.5 overflow-x-auto border-t border-line p-1 text-sm sm:flex-wrap"
        >
          {tableTools.map(({ label, run }) => (
            <Toolbar.Button
              key={label}
              aria-pressed={label === "Header" ? table.hasHeader : undefined}
              // The header is the first row.
              disabled={label === "Row above" && table.isInHeader}
              onClick={() =>
                editor
                  .chain()
                  .focus()
                  .command(({ state, dispatch }) => run(state, dispatch))
                  .run()
              }
              className={`shrink-0 px-1.5 whitespace-nowrap ${buttonClass}`}
            >
              {label}
            </Toolbar.Button>
          ))}
        </Toolbar.Root>
      )}
    </div>
  );
}

const buttonClass =
  "flex h-9 items-center rounded text-ink hover:bg-sand aria-pressed:bg-evergreen aria-pressed:text-paper aria-disabled:opacity-60";

function describeTable({ state }: Editor): { hasHeader: boolean; isInHeader: boolean } {
  const { table, top } = selectedRect(state);
  const hasHeader = table.firstChild?.firstChild?.type.name === "headerCell";
  return { hasHeader, isInHeader: hasHeader && top === 0 };
}
