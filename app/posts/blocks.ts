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
