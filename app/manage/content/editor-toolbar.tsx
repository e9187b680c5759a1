import { Toolbar } from "@base-ui/react/toolbar";
import { type Editor, useEditorState } from "@tiptap/react";
import { Bold, type IconNode, Italic, Link2, Redo2, Undo2 } from "lucide";
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
  inserted?: WholeLineBlock["type"];
}

const tools: Tool[] = [
  ...markedTypeNames.map((name) => ({ name, ...markedTypes[name].button })),
  { name: "bold", label: "Bold", icon: Bold, shortcut: "B" },
  { name: "italic", label: "Italic", icon: Italic, shortcut: "I" },
  { name: "link", label: "Link", icon: Link2, shortcut: "K" },
  ...wholeLineTypeNames.map((inserted) => ({ inserted, ...wholeLineTypes[inserted].button })),
  { label: "Undo", icon: Undo2, shortcut: "Z" },
  { label: "Redo", icon: Redo2, shortcut: "Shift+Z" },
];

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
  const pressed = useEditorState({
    editor,
    selector: ({ editor }) =>
      tools.flatMap(({ name }) => (name && editor.isActive(name) ? name : [])),
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
    else if (inserted) chain.insertContent([{ type: inserted }, { type: "paragraph" }]).run();
    else if (label === "Undo") chain.undo().run();
    else chain.redo().run();
  }

  return (
    <Toolbar.Root
      aria-label="Formatting"
      aria-controls={controls}
      disabled={disabled}
      // The field keeps the focus and a phone its keyboard.
      onMouseDown={(event) => event.preventDefault()}
      className="sticky top-18 z-10 flex gap-0.5 rounded-t-md border-b border-line bg-sand p-1 max-sm:top-0"
    >
      {tools.map((tool) => (
        <Toolbar.Button
          key={tool.label}
          title={tool.shortcut ? `${tool.label} (Ctrl+${tool.shortcut})` : tool.label}
          aria-pressed={tool.name ? pressed.includes(tool.name) : undefined}
          aria-keyshortcuts={tool.shortcut && `Control+${tool.shortcut} Meta+${tool.shortcut}`}
          onClick={() => run(tool)}
          className="flex h-9 w-9 items-center justify-center rounded text-ink hover:bg-surface hover:text-evergreen aria-pressed:bg-evergreen aria-pressed:text-paper aria-disabled:opacity-60 max-sm:flex-1"
        >
          <Icon drawing={tool.icon} className="size-4.5" />
          <span className="sr-only">{tool.label}</span>
        </Toolbar.Button>
      ))}
    </Toolbar.Root>
  );
}
