import { parseBlocks } from "./blocks.ts";
import type { Post } from "./posts.ts";

/** What search results show of a description, in characters. */
const length = 160;

/** A post in a sentence or two: how its text begins, else its tagline. */
export function excerptOf({
  content,
  tagline,
  title,
}: Pick<Post, "content" | "tagline" | "title">) {
  const paragraph = parseBlocks(content).find((block) => block.type === "paragraph");
  const text = (paragraph?.text ?? "").replace(/\s+/g, " ").trim() || tagline || title;
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/\s+\S*$/, "")}…`;
}
