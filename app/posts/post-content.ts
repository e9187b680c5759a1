// What a post's columns `content` and `related_services` hold.
import { LinkifyIt } from "linkify-it";
import { z } from "zod/mini";
import type { ServiceLink } from "../config/use-site.ts";

/** Formats a part of a text: UTF-16 offsets, `end` excluded. Marks of one type never overlap. */
export type Mark =
  | { type: "bold" | "italic"; start: number; end: number }
  | { type: "link"; start: number; end: number; href: string };

type LinkMark = Extract<Mark, { type: "link" }>;

/** One block of a post's content. */
export type Block =
  | { type: "heading"; text: string }
  | { type: "paragraph" | "quote" | "note"; text: string; marks?: Mark[] }
  | { type: "list" | "numbered-list"; items: string[]; itemMarks?: Mark[][] }
  | { type: "image"; src: string; alt: string; width: number; height: number };

// Each further function of zod/mini makes all forms of visitors larger. So numbers and marks are checked below.
const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("heading"), text: z.string() }),
  z.object({ type: z.literal(["paragraph", "quote", "note"]), text: z.string() }),
  z.object({ type: z.literal(["list", "numbered-list"]), items: z.array(z.string()) }),
  z.object({ type: z.literal("image"), src: z.string(), alt: z.string() }),
]);

/** Parses stored content. Skips blocks of an unknown type or shape, and invalid marks. */
export function parseBlocks(content: unknown): Block[] {
  return Array.isArray(content) ? content.flatMap(parseBlock) : [];
}

function parseBlock(stored: unknown): Block[] {
  const block = blockSchema.safeParse(stored).data;
  if (!block) return [];
  switch (block.type) {
    case "heading":
      return [block];
    case "list":
    case "numbered-list": {
      const lists = fieldOf(stored, "itemMarks");
      const itemMarks = block.items.map((item, index) =>
        parseMarks(item, Array.isArray(lists) ? lists[index] : null),
      );
      return [{ ...block, ...(itemMarks.some(({ length }) => length > 0) && { itemMarks }) }];
    }
    case "image": {
      const [width, height] = [fieldOf(stored, "width"), fieldOf(stored, "height")];
      const isImage = isImageAddress(block.src) && isWhole(width) && isWhole(height);
      return isImage && width > 0 && height > 0 ? [{ ...block, width, height }] : [];
    }
    default: {
      const marks = parseMarks(block.text, fieldOf(stored, "marks"));
      return [{ ...block, ...(marks.length > 0 && { marks }) }];
    }
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}

/** The valid marks of a text, sorted by their start. */
function parseMarks(text: string, stored: unknown): Mark[] {
  if (!Array.isArray(stored)) return [];
  const ends = { bold: 0, italic: 0, link: 0 };
  return stored
    .flatMap((mark) => parseMark(text, mark))
    .sort((a, b) => a.start - b.start)
    .filter(({ type, start, end }) => {
      if (start < ends[type]) return false;
      ends[type] = end;
      return true;
    });
}

function parseMark(text: string, stored: unknown): Mark[] {
  const [type, href] = [fieldOf(stored, "type"), fieldOf(stored, "href")];
  const [start, end] = [fieldOf(stored, "start"), fieldOf(stored, "end")];
  if (!isOffset(text, start) || !isOffset(text, end) || start >= end) return [];
  if (type === "bold" || type === "italic") return [{ type, start, end }];
  const isLink = type === "link" && typeof href === "string" && isLinkTarget(href);
  return isLink ? [{ type, start, end, href }] : [];
}

/** Whether a text can be split there: not inside a surrogate pair. */
function isOffset(text: string, at: unknown): at is number {
  if (!isWhole(at) || at < 0 || at > text.length) return false;
  return at === 0 || (text.codePointAt(at - 1) ?? 0) <= 0xffff;
}

/** Whether a link in a post may lead there. */
export function isLinkTarget(href: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:)[^\s\p{Cc}]+$/iu.test(href) && URL.canParse(href);
}

/** Whether an image in a post may be loaded from there: http, https or this site, as in image-url.ts. */
export function isImageAddress(src: string): boolean {
  return /^(https?:\/)?\/[^/\\]/i.test(src);
}

/** The text of the blocks without formatting, for counting its words. */
export function blocksToPlainText(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case "list":
        case "numbered-list":
          return block.items.join("\n");
        case "image":
          return "";
        default:
          return block.text;
      }
    })
    .join("\n\n");
}

const wordsPerMinute = 220;

/** How long a post takes to read, in whole minutes, at least 1. */
export function readingMinutes(content: unknown): number {
  const words = blocksToPlainText(parseBlocks(content)).match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute));
}

/** How many characters of a description search results show. */
const excerptLength = 160;

interface Described {
  content: unknown;
  tagline: string;
  title: string;
}

/** The tagline of a post that has none of its own. */
export function generatedTagline(title: string): string {
  return `An insightful article about ${title}`;
}

/** A short description of a post: its own tagline, else the start of its first paragraph. */
export function excerptOf({ content, tagline, title }: Described): string {
  const [paragraph = ""] = parseBlocks(content).flatMap((block) =>
    block.type === "paragraph" ? block.text : [],
  );
  const own = tagline === generatedTagline(title) ? "" : oneLine(tagline);
  const text = own || oneLine(paragraph) || tagline || title;
  if (text.length <= excerptLength) return text;
  return `${text.slice(0, excerptLength).replace(/\s+\S*$/, "")}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

interface LinkPiece {
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
      // Not in the middle of an email address, a path or a longer host name.
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
export function splitLinks(text: string): LinkPiece[] {
  const pieces: LinkPiece[] = [];
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

export interface TextPiece {
  text: string;
  bold: boolean;
  italic: boolean;
}

/** A part of a text with one link target, or without. */
export interface TextRun {
  href?: string;
  pieces: TextPiece[];
}

/** Splits a text at its links and marks. Web addresses become links, except inside a marked link. */
export function formatText(text: string, marks: readonly Mark[] = []): TextRun[] {
  const marked = marks.filter((mark) => mark.type === "link");
  const links = [...marked, ...addressesOutside(marked, text)].sort((a, b) => a.start - b.start);
  const linkAt = markFinder(links);
  const boldAt = markFinder(marks.filter(({ type }) => type === "bold"));
  const italicAt = markFinder(marks.filter(({ type }) => type === "italic"));

  const edges = [...marks, ...links].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...edges, text.length])].sort((a, b) => a - b);
  const runs: TextRun[] = [];
  let last: Mark | undefined;
  for (const [index, end] of cuts.slice(1).entries()) {
    const start = cuts[index] ?? 0;
    const isAt = (mark: Mark | undefined) => mark !== undefined && mark.start <= start;
    const [found, bold, italic] = [linkAt(start), isAt(boldAt(start)), isAt(italicAt(start))];
    const link = found && isAt(found) ? found : undefined;
    let run = runs.at(-1);
    if (!run || link !== last) {
      run = { href: link?.href, pieces: [] };
      runs.push(run);
      last = link;
    }
    run.pieces.push({ text: text.slice(start, end), bold, italic });
  }
  return runs;
}

function addressesOutside(marked: readonly LinkMark[], text: string): LinkMark[] {
  const linkAt = markFinder(marked);
  let end = 0;
  return splitLinks(text).flatMap(({ text: { length }, href }) => {
    const start = end;
    end += length;
    const next = linkAt(start);
    return href && !(next && next.start < end) ? [{ type: "link", start, end, href }] : [];
  });
}

/** Finds the first of some sorted marks that ends after an offset. The offsets must not decrease. */
function markFinder<T extends Mark>(marks: readonly T[]): (offset: number) => T | undefined {
  let index = 0;
  return (offset) => {
    while ((marks[index]?.end ?? Number.POSITIVE_INFINITY) <= offset) index++;
    return marks[index];
  };
}

const relatedServiceSchema = z.object({ slug: z.string() });

/** The slugs of the services that a post names, also of hidden and deleted ones. Skips malformed entries. */
export function relatedSlugs(relatedServices: unknown): string[] {
  if (!Array.isArray(relatedServices)) return [];
  return relatedServices.flatMap((entry) => relatedServiceSchema.safeParse(entry).data?.slug ?? []);
}

/** The services that a post names, in the site's order. Skips unknown and malformed entries. */
export function findRelatedServices(
  services: readonly ServiceLink[],
  relatedServices: unknown,
): ServiceLink[] {
  const slugs = relatedSlugs(relatedServices);
  return services.filter(({ slug }) => slugs.includes(slug));
}
