import type { Block } from "./blocks.ts";

/** The blocks as the form shows them: list items as lines that start with '- ' (section 5). */
export function blocksToText(blocks: readonly Block[]): string {
  return blocks
    .map((block) =>
      block.type === "list" ? block.items.map((item) => `- ${item}`).join("\n") : block.text,
    )
    .join("\n\n");
}

/** Text as paragraph blocks, separated by blank lines (section 5). */
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
