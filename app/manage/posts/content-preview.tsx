import { useMemo } from "react";
import { PostBody } from "../../posts/post-body.tsx";
import { blocksToPlainText, readingMinutes } from "../../posts/post-content.ts";
import { textToBlocks } from "./text-to-blocks.ts";

/** The text as visitors will see it, with its length. */
export function ContentPreview({ text }: { text: string }) {
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
