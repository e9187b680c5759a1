import { Fragment, useId, useState } from "react";
import { browserStorage } from "../../browser/site-data.ts";
import { blocksToPlainText, parseBlocks } from "../../posts/blocks.tsx";
import { readingMinutes } from "../../posts/post-content.ts";
import type { Json } from "../../supabase/database.ts";
import { markedTypes } from "./block-types.ts";
import { blocksToText, imageProblem, tableProblem } from "./marked-blocks.ts";
import { mergeBlocks } from "./merge-blocks.ts";
import { type ContentProps, VisualEditor } from "./visual-editor.tsx";

/** The field in both forms. */
export const contentSelector = ".content-frame textarea, .content-frame [contenteditable]";

const preference = "content-as-text";

function prefersText(): boolean {
  return browserStorage.getItem(preference) === "yes";
}

export function ContentField(props: Omit<ContentProps, "id">) {
  const id = useId();
  const [isText, setText] = useState(prefersText);
  const blocks = parseBlocks(props.content);
  const words = blocksToPlainText(blocks).match(/\S+/g)?.length ?? 0;

  function toggle() {
    setText(!isText);
    browserStorage.setItem(preference, isText ? "no" : "yes");
  }

  return (
    <div className="mt-6" data-invalid={props.error ? "" : undefined}>
      <label id={`${id}-label`} htmlFor={id} className="sr-only">
        Content
      </label>
      <div className="content-frame">
        {isText ? <TextContent {...props} id={id} /> : <VisualEditor {...props} id={id} />}
      </div>
      {props.error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {props.error}
        </p>
      )}
      <div className="mt-2 flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line pt-2 text-sm text-muted">
        <p>
          {`${words === 1 ? "1 word" : `${words.toLocaleString("en-US")} words`} · ${readingMinutes(blocks)} min read`}
        </p>
        <label className="flex min-h-9 cursor-pointer items-center gap-2">
          <input
            type="checkbox"
            checked={isText}
            disabled={props.disabled}
            onChange={toggle}
            className="size-4 accent-evergreen"
          />
          Edit as plain text
        </label>
      </div>
    </div>
  );
}

/** Selects words in the field and shows them. @param at which of several equal ones, from 0 */
export function selectInContent(words: string, at: number): void {
  const field = document.querySelector<HTMLElement>(contentSelector);
  field?.focus();
  if (field instanceof HTMLTextAreaElement) {
    const start = placesOf(words, field.value)[at];
    if (start !== undefined) field.setSelectionRange(start, start + words.length);
    return;
  }
  if (!field) return;
  const nodes = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const places = placesOf(words, node.textContent ?? "");
    const start = places[at - before];
    before += places.length;
    if (start === undefined) continue;
    getSelection()?.setBaseAndExtent(node, start, node, start + words.length);
    // The editor takes it over at once.
    document.dispatchEvent(new Event("selectionchange"));
    node.parentElement?.scrollIntoView({ block: "center" });
    return;
  }
}

function placesOf(words: string, text: string): number[] {
  const parts = text.split(words).slice(0, -1);
  let at = -words.length;
  return parts.map((part) => {
    at += words.length + part.length;
    return at;
  });
}

function TextContent({ id, content, disabled, error, onChange }: ContentProps) {
  const [shown, setShown] = useState(() => textOf(content));
  // Another version of the post.
  if (shown.content !== content) setShown(textOf(content));

  function change(text: string) {
    const content = mergeBlocks(shown.original, text);
    setShown({ ...shown, content, text });
    onChange(content);
  }

  return (
    <>
      <textarea
        id={id}
        rows={20}
        value={shown.text}
        disabled={disabled}
        aria-describedby={`${id}-hint${error ? ` ${id}-error` : ""}`}
        aria-invalid={error ? true : undefined}
        onChange={(event) => change(event.target.value)}
        className="block w-full border-y border-line px-4 py-3 sm:px-0"
      />
      <p role="alert" className="px-4 py-2 text-sm font-medium text-danger empty:hidden sm:px-0">
        {imageProblem(shown.text) ?? tableProblem(content)}
      </p>
      <p id={`${id}-hint`} className="px-4 py-2 text-sm text-muted sm:px-0">
        A blank line starts a new paragraph. A line that starts with{" "}
        {Object.values(markedTypes).map(({ write, called }, index) => (
          <Fragment key={called}>
            <span>{index > 0 && ", with "}</span>
            <code>{write(0)}</code>
            <span>{` ${index === 0 ? "is " : ""}${called}`}</span>
          </Fragment>
        ))}
        <span>. Lines such as</span> <code>| Plan | Price |</code>{" "}
        <span>are the rows of a table;</span> <code>| --- | --- |</code>{" "}
        <span>below the first makes it a header.</span>
      </p>
    </>
  );
}

function textOf(content: Json[]) {
  return { content, original: content, text: blocksToText(parseBlocks(content)) };
}
