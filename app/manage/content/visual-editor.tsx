import { EditorContent, useEditor } from "@tiptap/react";
import { type ClipboardEvent as ReactClipboardEvent, useEffect, useRef, useState } from "react";
import { bodyClass } from "../../posts/blocks.tsx";
import type { Json } from "../../supabase/database.ts";
import { toHref } from "./content-links.ts";
import { toBlocks, toDocument } from "./editor-blocks.ts";
import { EditorImage, insertFile, insertImage, isUploading } from "./editor-image.tsx";
import { editorExtensions } from "./editor-schema.ts";
import { EditorToolbar } from "./editor-toolbar.tsx";
import { htmlToBlocks } from "./html-to-blocks.ts";
import { ImageDialog } from "./image-dialog.tsx";
import { insertBlocks } from "./insert-blocks.ts";
import { LinkDialog } from "./link-dialog.tsx";
import { tableTooLarge, textToBlocks } from "./marked-blocks.ts";
import { sameJson } from "./merge-blocks.ts";
import "./editor.css";

export interface ContentProps {
  /** The id of the field. Its label has the same with `-label`. */
  id: string;
  content: Json[];
  disabled: boolean;
  /** What is missing or wrong, in the element whose id ends with `-error`. */
  error?: string | undefined;
  onChange: (content: Json[]) => void;
  onUploading: (isUploading: boolean) => void;
  /** Called with the title of a pasted document. @returns whether the post takes it */
  onTitle: (title: string) => boolean;
}

export function VisualEditor(props: ContentProps) {
  const { id, content, disabled, error, onChange, onUploading, onTitle } = props;
  const shown = useRef(content);
  const [dialog, setDialog] = useState<"link" | "image" | null>(null);
  const [notes, setNotes] = useState<string[]>([]);
  const editor = useEditor({
    // Without it, Tiptap renders no editor at first where it takes the site for one of Next.js: where `window.next` is set,
    // which an element with the id `next` also does.
    immediatelyRender: true,
    extensions: [...editorExtensions, EditorImage],
    content: toDocument(content),
    editable: !disabled,
    // The Content-Security-Policy forbids the style element; editor.css has its rules.
    injectCSS: false,
    editorProps: {
      attributes: {
        id,
        // The words of a translator would become the post's.
        translate: "no",
        "aria-multiline": "true",
        "aria-labelledby": `${id}-label`,
        "aria-disabled": String(disabled),
        class: `${bodyClass} min-h-96 px-4 pt-6 pb-16 outline-none sm:px-0`,
      },
      handleKeyDown(view, event) {
        if (event.altKey && event.key === "F10") {
          const toolbar = view.dom.ownerDocument.querySelector(
            `[role=toolbar][aria-controls="${id}"]`,
          );
          toolbar?.querySelector<HTMLElement>("button:not([tabindex='-1'])")?.focus();
          return true;
        }
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return false;
        event.preventDefault();
        openLink();
        return true;
      },
      // Run before ProseMirror, which would parse inline styles and so violate the Content-Security-Policy.
      handleDOMEvents: {
        keydown() {
          // The browser tells of a new selection after keys that wait, and "End", "Enter" would delete what was selected.
          document.dispatchEvent(new Event("selectionchange"));
          return false;
        },
        paste(_view, event) {
          if (!event.clipboardData || !take(event.clipboardData)) return false;
          event.preventDefault();
          return true;
        },
        drop(view, event) {
          const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
          if (view.dragging || !event.dataTransfer || !place) return false;
          event.preventDefault();
          editor.commands.setTextSelection(place.pos);
          return take(event.dataTransfer);
        },
      },
    },
    onUpdate({ editor }) {
      const blocks = toBlocks(editor.state.doc);
      onUploading(isUploading(editor.state.doc));
      if (sameJson(blocks, shown.current)) return;
      shown.current = blocks;
      onChange(blocks);
    },
  });

  useEffect(() => {
    editor.setEditable(!disabled, false);
  }, [editor, disabled]);
  useEffect(() => {
    // The view may not be mounted yet. It is once the form was sent.
    if (!error) return;
    const { dom } = editor.view;
    dom.setAttribute("aria-invalid", "true");
    dom.setAttribute("aria-describedby", `${id}-error`);
    return () => {
      dom.removeAttribute("aria-invalid");
      dom.removeAttribute("aria-describedby");
    };
  }, [editor, id, error]);
  useEffect(() => {
    if (content === shown.current) return;
    shown.current = content;
    editor.commands.setContent(toDocument(content), { emitUpdate: false });
  }, [editor, content]);

  useEffect(() => {
    const tell = () => setNotes([tableTooLarge]);
    editor.on("tableTooLarge", tell);
    return () => void editor.off("tableTooLarge", tell);
  }, [editor]);

  function openLink() {
    // A heading has no links.
    if (!editor.isActive("heading")) setDialog("link");
  }

  /** Inserts what is pasted or dropped. @returns false for what ProseMirror itself inserts */
  function take(data: DataTransfer): boolean {
    const html = data.getData("text/html");
    const text = data.getData("text/plain");
    const [file] = data.files;
    setNotes([]);
    if (data.types.includes(ownType)) return false;
    const href = editor.state.selection.empty ? null : toHref(text, window.location.origin);
    if (href && !/\s/.test(text.trim())) return editor.commands.setMark("link", { href });
    // A copied image comes with HTML that has no words, Word's text with an image of itself.
    const words = html.replace(/<style[\s\S]*?<\/style>|<[^>]*>/gi, "").trim();
    if (file && !words) {
      insertFile(editor, file);
      return true;
    }
    // Without words there may be images, which have a note.
    const pasted =
      words || (html && !text.trim())
        ? htmlToBlocks(html)
        : { blocks: textToBlocks(text), notes: [] };
    const title = "title" in pasted && pasted.title;
    const heading = title && !onTitle(title) ? [{ type: "heading", text: title }] : [];
    insertBlocks(editor, [...heading, ...pasted.blocks]);
    setNotes(pasted.notes);
    return true;
  }

  return (
    <>
      <EditorToolbar
        editor={editor}
        controls={id}
        disabled={disabled}
        onLink={openLink}
        onImage={() => setDialog("image")}
      />
      <div role="status" className="empty:hidden">
        {notes.length > 0 && (
          <ul className="space-y-1 border-b border-line bg-clay-soft px-4 py-3 text-sm font-medium">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
      <EditorContent editor={editor} onCopy={markAsOwn} onCut={markAsOwn} />
      {dialog === "link" && <LinkDialog editor={editor} onClose={() => setDialog(null)} />}
      {dialog === "image" && (
        <ImageDialog
          onFile={(file) => insertFile(editor, file)}
          onChoose={(image) => insertImage(editor, image)}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

/** Marks what comes from this editor: the HTML of others that use ProseMirror has the attribute `data-pm-slice` as well. */
const ownType = "application/x-content-blocks";

function markAsOwn({ clipboardData }: ReactClipboardEvent): void {
  if (clipboardData.types.includes("text/html")) clipboardData.setData(ownType, "1");
}
