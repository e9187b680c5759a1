import { type Block, blocksToText } from "../../posts/post-content.ts";

/** Splits text at blank lines into paragraph blocks (section 5). */
export function textToBlocks(text: string): Block[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n[^\S\n]*\n/)
    .map((piece) => piece.trim())
    .filter(Boolean)
    .map((piece) => ({ type: "paragraph", text: piece }));
}

/** The blocks to save: untouched text keeps its headings, lists and quotes. */
export function editedBlocks(original: readonly Block[], text: string): readonly Block[] {
  return text === blocksToText(original) ? original : textToBlocks(text);
}
