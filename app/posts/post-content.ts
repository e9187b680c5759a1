// What a post's columns `content` and `related_services` hold.
import { LinkifyIt } from "linkify-it";
import { z } from "zod/mini";
import type { ServiceLink } from "../config/use-site.ts";

const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("heading"), text: z.string() }),
  z.object({ type: z.literal("paragraph"), text: z.string() }),
  z.object({ type: z.literal("list"), items: z.array(z.string()) }),
  z.object({ type: z.literal("quote"), text: z.string() }),
]);

/** One block of a post's content (section 3). */
export type Block = z.infer<typeof blockSchema>;

/** Parses stored content. Skips blocks of an unknown type or shape. */
export function parseBlocks(content: unknown): Block[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    const result = blockSchema.safeParse(block);
    return result.success ? [result.data] : [];
  });
}

/** The blocks as plain text; list items become lines that start with '- ' (section 5). */
export function blocksToText(blocks: readonly Block[]): string {
  return blocks
    .map((block) =>
      block.type === "list" ? block.items.map((item) => `- ${item}`).join("\n") : block.text,
    )
    .join("\n\n");
}

const wordsPerMinute = 220;

/** How long a post takes to read, in whole minutes, at least 1. */
export function readingMinutes(content: unknown): number {
  const words = blocksToText(parseBlocks(content)).match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute));
}

/** How many characters of a description search results show. */
const excerptLength = 160;

interface Described {
  content: unknown;
  tagline: string;
  title: string;
}

/** The tagline of a post that has none of its own (section 9). */
export function generatedTagline(title: string): string {
  return `An insightful article about ${title}`;
}

/** A short description of a post: its own tagline, else the start of its first paragraph. */
export function excerptOf({ content, tagline, title }: Described): string {
  const own = tagline === generatedTagline(title) ? "" : oneLine(tagline);
  const paragraph = parseBlocks(content).find((block) => block.type === "paragraph");
  const text = own || oneLine(paragraph?.text ?? "") || tagline || title;
  if (text.length <= excerptLength) return text;
  return `${text.slice(0, excerptLength).replace(/\s+\S*$/, "")}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export interface TextPiece {
  text: string;
  /** Where the piece links to; absent for plain text. */
  href?: string;
}

const www = "www.";

// Links only unmistakable web addresses: 'file.md' and 'ada@example.com' stay text.
const webAddresses = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false })
  .add("ftp:", null)
  .add("mailto:", null)
  .add("//", null)
  .add(www, {
    validate(text, end, { re }) {
      // Not in the middle of an e-mail address, a path or a longer host name.
      if (/[@./\\-]/.test(text[end - www.length - 1] ?? "")) return 0;
      const rest = re.get_relative_proto_validator();
      rest.lastIndex = end;
      return rest.exec(text)?.[0].length ?? 0;
    },
    normalize(match) {
      match.url = `https://${match.url}`;
    },
  });

/** Splits text into plain text and web addresses that start with http, https or 'www.'. */
export function splitLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { index, lastIndex, raw, url } of webAddresses.match(text) ?? []) {
    if (!URL.canParse(url)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: raw, href: url });
    end = lastIndex;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

const relatedServiceSchema = z.object({ slug: z.string() });

/** The services that a post names, in the site's order. Skips unknown and malformed entries. */
export function findRelatedServices(
  services: readonly ServiceLink[],
  relatedServices: unknown,
): ServiceLink[] {
  if (!Array.isArray(relatedServices)) return [];
  const slugs = relatedServices.map((entry) => relatedServiceSchema.safeParse(entry).data?.slug);
  return services.filter(({ slug }) => slugs.includes(slug));
}
