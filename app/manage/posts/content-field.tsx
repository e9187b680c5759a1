import { type IconNode, ImagePlus, Link2 } from "lucide";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { insertTextIntoField } from "text-field-edit";
import { blocksToPlainText, PostBody } from "../../posts/blocks.tsx";
import { emphases } from "../../posts/formatted-text.tsx";
import { readingMinutes } from "../../posts/post-content.ts";
import { controlClass } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import {
  insertBlocks,
  insertLink,
  isAddress,
  replaceRange,
  type TextEdit,
  toggleEmphasis,
  toggleLines,
} from "./format-commands.ts";
import { blocksToText, markedTypeNames, markedTypes, textToBlocks } from "./marked-blocks.ts";
import { emphasisSigns } from "./marked-text.ts";
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

  /** Uses the browser's editing commands, so that Ctrl+Z undoes the change. */
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

  const commands: ToolbarCommand[] = [
    ...markedTypeNames.map((type) => ({
      ...markedTypes[type],
      run: () => apply(toggleLines(selected(), type)),
    })),
    ...emphases.map((type) => ({
      ...emphasisSigns[type],
      run: () => apply(toggleEmphasis(selected(), type)),
    })),
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
    const selection = selected();
    const { selectionStart, selectionEnd } = selection;
    if (selectionEnd > selectionStart && isAddress(plain)) {
      event.preventDefault();
      apply(insertLink(selection, plain.trim()));
      return;
    }
    const blocks = pastedBlocks(event.clipboardData.getData("text/html"));
    if (!blocks) return;
    event.preventDefault();
    const text = blocksToText(blocks);
    const isInline = blocks.length === 1 && blocks[0]?.type === "paragraph";
    apply(
      isInline ? replaceRange(selectionStart, selectionEnd, text) : insertBlocks(selection, text),
    );
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

interface ToolbarCommand {
  label: string;
  icon: IconNode;
  /** The key, pressed with Ctrl or Command. */
  key?: string;
  run: () => void;
}

interface ToolbarProps {
  commands: readonly ToolbarCommand[];
  /** The id of the field. */
  controls: string;
  disabled: boolean;
}

/** The toolbar is one tab stop; the arrow keys move between its buttons. */
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

/** The text as visitors will see it, with its word count and reading time. */
function ContentPreview({ text }: { text: string }) {
  const blocks = useMemo(() => textToBlocks(text), [text]);
  const words = blocksToPlainText(blocks).match(/\S+/g)?.length ?? 0;
  return (
    <div className="min-w-0">
      <p className="flex min-h-11 flex-wrap items-center justify-between gap-3 text-sm text-muted">
        <span className="font-semibold text-ink">Preview</span>
        <span>
          {words === 1 ? "1 word" : `${words.toLocaleString("en-US")} words`} ·{" "}
          {readingMinutes(blocks)} min read
        </span>
      </p>
      <section
        aria-label="Preview"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[44rem] overflow-y-auto rounded-md border border-line bg-paper p-5 sm:p-7"
      >
        {blocks.length > 0 ? (
          <PostBody content={blocks} />
        ) : (
          <p className="text-muted">What you write appears here as visitors will see it.</p>
        )}
      </section>
    </div>
  );
}
