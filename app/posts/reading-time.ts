import { parseBlocks } from "./blocks.ts";
import { blocksToText } from "./content-text.ts";

/** At what pace prose with figures in it is read, in words a minute. */
const pace = 220;

/** How long a post takes to read, in whole minutes, at least 1. */
export function readingMinutes(content: unknown): number {
  const words = blocksToText(parseBlocks(content)).match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.round(words / pace));
}
