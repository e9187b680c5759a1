import { z } from "zod/mini";

const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("heading"), text: z.string() }),
  z.object({ type: z.literal("paragraph"), text: z.string() }),
  z.object({ type: z.literal("list"), items: z.array(z.string()) }),
  z.object({ type: z.literal("quote"), text: z.string() }),
]);

/** A piece of a post's content (section 3). */
export type Block = z.infer<typeof blockSchema>;

/** Reads stored content. Blocks of an unknown type or shape are skipped. */
export function parseBlocks(content: unknown): Block[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    const result = blockSchema.safeParse(block);
    return result.success ? [result.data] : [];
  });
}

export interface TextPiece {
  text: string;
  /** Where the piece links to; absent for plain text. */
  href?: string;
}

// Punctuation that ends a sentence is not part of the address before it.
const webAddress = /\bhttps?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/gi;

/** Splits text into plain pieces and web addresses. Only http and https become links. */
export function splitLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(webAddress)) {
    if (!URL.canParse(match[0])) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: match[0], href: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
