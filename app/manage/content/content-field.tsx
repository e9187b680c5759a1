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
    <div className="content-field">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-semibold">
          Content
        </label>
        <label className="flex min-h-9 cursor-pointer items-center gap-2 text-sm text-muted">
          <input
            type="checkbox"
            checked={isText}
            disabled={props.disabled}
            onChange={toggle}
            className="size-4 accent-evergreen"
          />
          Text instead
        </label>
      </div>
      <div className="content-frame rounded-md border border-edge bg-paper focus-within:border-evergreen focus-within:ring-1 focus-within:ring-evergreen">
        {isText ? <TextContent {...props} id={id} /> : <VisualEditor {...props} id={id} />}
      </div>
      <p className="mt-1.5 text-sm text-muted">
        {`${words === 1 ? "1 word" : `${words.toLocaleString("en-US")} words`} · ${readingMinutes(blocks)} min read`}
      </p>
    </div>
  );
}

function TextContent({ id, content, disabled, onChange }: ContentProps) {
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
        aria-describedby={`${id}-hint`}
        onChange={(event) => change(event.target.value)}
        className="block w-full rounded-t-md px-4 py-3 sm:px-8"
      />
      <p role="alert" className="px-4 py-2 text-sm font-medium text-danger empty:hidden sm:px-8">
        {imageProblem(shown.text) ?? tableProblem(content)}
      </p>
      <p id={`${id}-hint`} className="border-t border-line px-4 py-2 text-sm text-muted sm:px-8">
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
