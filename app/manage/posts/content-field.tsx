import { Bold, Heading2, ImagePlus, Italic, Link2, List, ListOrdered, Pin, Quote } from "lucide";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useDeferredValue,
  useId,
  useRef,
  useState,
} from "react";
import { insertTextIntoField } from "text-field-edit";
import { controlClass } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import { blocksToText } from "./blocks-to-text.ts";
import { ContentPreview } from "./content-preview.tsx";
import {
  insertBlocks,
  insertLink,
  isAddress,
  type LineMark,
  type TextEdit,
  toggleLines,
  toggleStars,
} from "./format-commands.ts";
import { pastedBlocks } from "./pasted-blocks.ts";
import { TextImageDialog } from "./text-image-dialog.tsx";

interface ContentFieldProps {
  value: string;
  disabled: boolean;
  onChange: (text: string) => void;
}

/** The content of a post as text with marks, a toolbar for them, and a preview. */
export function ContentField({ value, disabled, onChange }: ContentFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isChoosingImage, setChoosingImage] = useState(false);
  const previewed = useDeferredValue(value);

  /** Through the browser's editing, so that Ctrl+Z takes it back. */
  function apply(edit: TextEdit): void {
    const textarea = field.current;
    if (!textarea || disabled) return;
    textarea.focus();
    textarea.setSelectionRange(edit.start, edit.end);
    insertTextIntoField(textarea, edit.replacement);
    textarea.setSelectionRange(edit.selectionStart, edit.selectionEnd);
  }

  function selected() {
    const { value: text = "", selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    return { text, selectionStart, selectionEnd };
  }

  const lines = (mark: LineMark) => () => apply(toggleLines(selected(), mark));
  const commands: ToolbarCommand[] = [
    { label: "Heading", icon: Heading2, run: lines("heading") },
    { label: "List", icon: List, run: lines("list") },
    { label: "Numbered list", icon: ListOrdered, run: lines("numbered-list") },
    { label: "Quote", icon: Quote, run: lines("quote") },
    { label: "Remember this", icon: Pin, run: lines("note") },
    { label: "Bold", icon: Bold, key: "b", run: () => apply(toggleStars(selected(), "**")) },
    { label: "Italic", icon: Italic, key: "i", run: () => apply(toggleStars(selected(), "*")) },
    { label: "Link", icon: Link2, key: "k", run: () => apply(insertLink(selected())) },
    { label: "Image", icon: ImagePlus, run: () => setChoosingImage(true) },
  ];

  function onKeyDown(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const command = commands.find(({ key }) => key === event.key.toLowerCase());
    if (!command) return;
    event.preventDefault();
    command.run();
  }

  function onPaste(event: ClipboardEvent) {
    const plain = event.clipboardData.getData("text/plain");
    const { selectionStart, selectionEnd } = selected();
    if (selectionEnd > selectionStart && isAddress(plain)) {
      event.preventDefault();
      apply(insertLink(selected(), plain.trim()));
      return;
    }
    const blocks = pastedBlocks(event.clipboardData.getData("text/html"));
    if (!blocks) return;
    event.preventDefault();
    const text = blocksToText(blocks);
    const isInline = blocks.length === 1 && blocks[0]?.type === "paragraph";
    apply(isInline ? replaceSelection(selected(), text) : insertBlocks(selected(), text));
  }

  return (
    <div data-wide>
      <label htmlFor={id} className="text-sm font-semibold">
        Content
      </label>
      <div className="mt-1.5 grid gap-x-10 gap-y-6 xl:grid-cols-2">
        <div>
          <Toolbar commands={commands} controls={id} disabled={disabled} />
          <textarea
            ref={field}
            id={id}
            rows={22}
            value={value}
            disabled={disabled}
            aria-describedby={`${id}-hint`}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            className={`${controlClass} mt-0! rounded-t-none`}
          />
          <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
            A blank line starts a new paragraph. A line that starts with <code>## </code> is a
            heading, with <code>- </code> or <code>1. </code> a list item, with <code>&gt; </code> a
            quote, with <code>!! </code> a box to remember.
          </p>
        </div>
        <ContentPreview text={previewed} />
      </div>
      {isChoosingImage && (
        <TextImageDialog
          onInsert={(image) => apply(insertBlocks(selected(), blocksToText([image])))}
          onClose={() => setChoosingImage(false)}
        />
      )}
    </div>
  );
}

function replaceSelection(
  { selectionStart, selectionEnd }: { selectionStart: number; selectionEnd: number },
  replacement: string,
): TextEdit {
  const cursor = selectionStart + replacement.length;
  return {
    ...{ start: selectionStart, end: selectionEnd, replacement },
    ...{ selectionStart: cursor, selectionEnd: cursor },
  };
}

interface ToolbarCommand {
  label: string;
  icon: Parameters<typeof Icon>[0]["drawing"];
  /** With Ctrl or Command. */
  key?: string;
  run: () => void;
}

interface ToolbarProps {
  commands: readonly ToolbarCommand[];
  /** The id of the field. */
  controls: string;
  disabled: boolean;
}

/** One tab stop; the arrow keys move between the buttons, as in the toolbars of other editors. */
function Toolbar({ commands, controls, disabled }: ToolbarProps) {
  const [current, setCurrent] = useState(0);
  const bar = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const last = commands.length - 1;
    const next = {
      ArrowRight: current === last ? 0 : current + 1,
      ArrowLeft: current === 0 ? last : current - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    bar.current?.querySelectorAll("button")[next]?.focus();
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Formatting"
      aria-controls={controls}
      onKeyDown={onKeyDown}
      className="sticky top-18 z-10 flex flex-wrap gap-0.5 rounded-t-md border border-b-0 border-edge bg-sand p-1"
    >
      {commands.map(({ label, icon, key, run }, index) => (
        <button
          key={label}
          type="button"
          disabled={disabled}
          tabIndex={index === current ? 0 : -1}
          title={key ? `${label} (Ctrl+${key.toUpperCase()})` : label}
          aria-keyshortcuts={key && `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}`}
          onFocus={() => setCurrent(index)}
          onClick={run}
          className="flex size-9 items-center justify-center rounded text-ink hover:bg-surface hover:text-evergreen disabled:opacity-60"
        >
          <Icon drawing={icon} className="size-4.5" />
          <span className="sr-only">{label}</span>
        </button>
      ))}
    </div>
  );
}
