import { Eye, type IconNode, ImagePlus, Link2, Pencil } from "lucide";
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { insertTextIntoField } from "text-field-edit";
import { blocksToPlainText, PostBody } from "../../posts/blocks.tsx";
import { type Emphasis, emphases } from "../../posts/formatted-text.tsx";
import { readingMinutes } from "../../posts/post-content.ts";
import { controlClass } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import {
  applyEdit,
  continueList,
  dropEmptyMarks,
  formatsAt,
  insertBlocks,
  insertLink,
  pasteLink,
  replaceRange,
  type TextEdit,
  toggleEmphasis,
  toggleLines,
} from "./format-commands.ts";
import { pastedBlocks } from "./html-to-blocks.ts";
import {
  blocksToText,
  imageProblem,
  markedTypeNames,
  markedTypes,
  placeOf,
  textToBlocks,
} from "./marked-blocks.ts";
import { emphasisSigns } from "./marked-text.ts";
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
  /** On small screens, the preview takes the place of the field. */
  const [isPreviewing, setPreviewing] = useState(false);
  const [selection, setSelection] = useState({ selectionStart: 0, selectionEnd: 0 });
  /** Where bold or italic was switched on: when nothing is typed there, its asterisks are removed. */
  const [opened, setOpened] = useState<number | null>(null);
  const current = { text: value, ...selection };
  const formats = formatsAt(current);
  const empty = opened === null ? null : dropEmptyMarks(current, opened);
  const previewed = useDeferredValue(empty ? applyEdit(value, empty) : value);

  /** Through the browser's editing, so that Ctrl+Z takes it back. */
  function apply(edit: TextEdit | null): void {
    const textarea = field.current;
    if (!textarea || !edit || disabled) return;
    textarea.focus();
    if (textarea.value.slice(edit.start, edit.end) !== edit.replacement) {
      textarea.setSelectionRange(edit.start, edit.end);
      insertTextIntoField(textarea, edit.replacement);
    }
    const { selectionStart, selectionEnd } = edit;
    textarea.setSelectionRange(selectionStart, selectionEnd);
    setSelection({ selectionStart, selectionEnd });
  }

  function selected() {
    const { value: text = "", selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    return { text, selectionStart, selectionEnd };
  }

  function emphasize(type: Emphasis): void {
    const before = selected();
    const edit = toggleEmphasis(before, type);
    if (!edit) return;
    apply(edit);
    // Of two that were opened, one can be left.
    const isOpened = opened === before.selectionStart || /^(\*\*?)\1$/.test(edit.replacement);
    setOpened(isOpened ? edit.selectionStart : null);
  }

  function onSelect() {
    const { text, ...now } = selected();
    setSelection(now);
    if (opened === null || now.selectionStart === opened) return;
    const edit = dropEmptyMarks({ text, ...now }, opened);
    const isInside =
      now.selectionStart > opened && !/[*\n]/.test(text.slice(opened, now.selectionStart));
    if (edit || !isInside) setOpened(null);
    apply(edit);
  }

  function onBlur({ currentTarget }: FocusEvent<HTMLTextAreaElement>) {
    if (empty) {
      // Here, the browser's editing would take the focus back. Unlike a new value, this leaves the cursor in its place.
      currentTarget.setRangeText("", empty.start, empty.end);
      currentTarget.dispatchEvent(new Event("input", { bubbles: true }));
    }
    setOpened(null);
  }

  const onLineBreak = useEffectEvent((event: InputEvent) => {
    const isLineBreak =
      /^insert(LineBreak|Paragraph)$/.test(event.inputType) || event.data === "\n";
    const edit = isLineBreak && !event.isComposing ? continueList(selected()) : null;
    if (!edit) return;
    event.preventDefault();
    apply(edit);
  });
  useEffect(() => {
    // Unlike key events, all keyboards of phones send it. React's event of this name is another one.
    const textarea = field.current;
    textarea?.addEventListener("beforeinput", onLineBreak);
    return () => textarea?.removeEventListener("beforeinput", onLineBreak);
  }, []);

  const commands: ToolbarCommand[] = [
    ...markedTypeNames.map((type) => ({
      ...markedTypes[type],
      pressed: formats.has(type),
      run: () => apply(toggleLines(selected(), type)),
    })),
    ...emphases.map((type) => ({
      ...emphasisSigns[type],
      pressed: formats.has(type),
      run: () => emphasize(type),
    })),
    { label: "Link", icon: Link2, key: "k", run: () => apply(insertLink(selected())) },
    { label: "Image", icon: ImagePlus, run: () => setChoosingImage(true) },
  ];

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && event.shiftKey && continueList(selected())) {
      // A line within the item. Safari sends `beforeinput` for it, too, but the indentation makes it no line break there.
      event.preventDefault();
      const { selectionStart, selectionEnd } = selected();
      apply(replaceRange(selectionStart, selectionEnd, "\n  "));
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const command = commands.find(({ key }) => key === event.key.toLowerCase());
    if (!command) return;
    event.preventDefault();
    command.run();
  }

  function onPaste(event: ClipboardEvent) {
    const plain = event.clipboardData.getData("text/plain");
    const selection = selected();
    const link = pasteLink(selection, plain);
    if (link) {
      event.preventDefault();
      apply(link);
      return;
    }
    const blocks = pastedBlocks(event.clipboardData.getData("text/html"));
    if (!blocks) return;
    event.preventDefault();
    const text = blocksToText(blocks);
    const { selectionStart, selectionEnd } = selection;
    const isInline = blocks.length === 1 && blocks[0]?.type === "paragraph";
    apply(
      isInline ? replaceRange(selectionStart, selectionEnd, text) : insertBlocks(selection, text),
    );
  }

  function write() {
    flushSync(() => setPreviewing(false));
    field.current?.focus();
  }

  return (
    <div data-wide>
      <label htmlFor={id} className="text-sm font-semibold">
        Content
      </label>
      <div className="mt-1.5 xl:grid xl:grid-cols-2 xl:gap-x-10">
        <div className="max-xl:contents">
          <div className="sticky top-18 z-10 flex flex-wrap-reverse items-center rounded-t-md border border-b-0 border-edge bg-sand p-1">
            <div className={isPreviewing ? "max-xl:hidden" : ""}>
              <Toolbar commands={commands} controls={id} disabled={disabled} />
            </div>
            {isPreviewing && <p className="px-2 text-sm font-semibold xl:hidden">Preview</p>}
            <button
              type="button"
              onClick={isPreviewing ? write : () => setPreviewing(true)}
              className="ml-auto flex min-h-9 items-center gap-2 rounded px-2 text-sm font-semibold text-evergreen hover:bg-surface xl:hidden"
            >
              <Icon drawing={isPreviewing ? Pencil : Eye} className="size-4.5" />
              {isPreviewing ? "Write" : "Preview"}
            </button>
          </div>
          <div className={isPreviewing ? "max-xl:hidden" : ""}>
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
              onSelect={onSelect}
              onBlur={onBlur}
              className={`${controlClass} mt-0! rounded-t-none`}
            />
            <p role="alert" className="mt-1.5 text-sm font-medium text-danger empty:hidden">
              {imageProblem(value)}
            </p>
            <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
              A blank line starts a new paragraph. A line that starts with <code>## </code> is a
              heading, with <code>- </code> or <code>1. </code> a list item, with <code>&gt; </code>{" "}
              a quote, with <code>!! </code> a box to remember.
            </p>
          </div>
        </div>
        <div className={isPreviewing ? "" : "max-xl:hidden"}>
          <ContentPreview text={previewed} caret={selection.selectionStart} shown={isPreviewing} />
        </div>
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
  /** Whether the selection has this format. */
  pressed?: boolean;
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
      // The field keeps the focus and a phone its keyboard.
      onMouseDown={(event) => event.preventDefault()}
      className="flex flex-wrap gap-0.5"
    >
      {commands.map(({ label, icon, key, pressed, run }, index) => (
        <button
          key={label}
          type="button"
          disabled={disabled}
          tabIndex={index === current ? 0 : -1}
          title={key ? `${label} (Ctrl+${key.toUpperCase()})` : label}
          aria-pressed={pressed}
          aria-keyshortcuts={key && `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}`}
          onFocus={() => setCurrent(index)}
          onClick={run}
          className="flex size-9 items-center justify-center rounded text-ink hover:bg-surface hover:text-evergreen aria-pressed:bg-evergreen aria-pressed:text-paper disabled:opacity-60"
        >
          <Icon drawing={icon} className="size-4.5" />
          <span className="sr-only">{label}</span>
        </button>
      ))}
    </div>
  );
}

interface ContentPreviewProps {
  text: string;
  /** Where the owner writes: the preview follows it. */
  caret: number;
  /** Whether a small screen shows the preview. */
  shown: boolean;
}

/** The text as visitors will see it, with its length. */
function ContentPreview({ text, caret, shown }: ContentPreviewProps) {
  const blocks = useMemo(() => textToBlocks(text), [text]);
  const body = useMemo(() => <PostBody content={blocks} />, [blocks]);
  const region = useRef<HTMLElement>(null);
  const words = blocksToPlainText(blocks).match(/\S+/g)?.length ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a small screen shows the preview later.
  useEffect(() => {
    const { index, part } = placeOf(text, caret, blocks);
    const element = region.current?.firstElementChild?.children[index];
    if (!region.current || !element) return;
    const { top, height } = element.getBoundingClientRect();
    const place = top + height * part - region.current.getBoundingClientRect().top;
    const { clientHeight } = region.current;
    const margin = 64;
    // Scrolls the region alone: neither the page nor the focus moves.
    if (place < margin || place > clientHeight - margin) {
      region.current.scrollTop += place - clientHeight / 3;
    }
  }, [text, caret, blocks, shown]);

  return (
    <div className="flex min-w-0 flex-col xl:flex-col-reverse">
      <section
        ref={region}
        aria-label="Preview"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[44rem] overflow-y-auto rounded-md border border-line bg-paper p-5 motion-safe:scroll-smooth max-xl:max-h-[70dvh] max-xl:rounded-t-none max-xl:border-edge sm:p-7"
      >
        {blocks.length > 0 ? (
          body
        ) : (
          <p className="text-muted">What you write appears here as visitors will see it.</p>
        )}
      </section>
      <p className="flex min-h-11 flex-wrap items-center justify-between gap-3 text-sm text-muted">
        <span className="font-semibold text-ink max-xl:hidden">Preview</span>
        <span>
          {words === 1 ? "1 word" : `${words.toLocaleString("en-US")} words`} ·{" "}
          {readingMinutes(blocks)} min read
        </span>
      </p>
    </div>
  );
}
