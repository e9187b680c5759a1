import MarkdownIt from "markdown-it";
import type { Block, Mark } from "../../posts/post-content.ts";
import { normalizeMarks } from "./inline-marks.ts";
import { lineMarks } from "./text-to-blocks.ts";

/** The text of blocks for the content field, with their marks. The inverse of `textToBlocks`. */
export function blocksToText(blocks: readonly Block[]): string {
  let text = "";
  let last: Block["type"] | null = null;
  for (const block of blocks) {
    const chunk = blockToText(block);
    if (!chunk.trim()) continue;
    const continuesList =
      (last === "list" && lineMarks.list.test(chunk)) ||
      (last === "numbered-list" && /^\s*\d+\./.test(chunk));
    // Items that are separated by one blank line belong to one list.
    if (text) text += continuesList ? "\n\n\n" : "\n\n";
    text += chunk;
    last = block.type;
  }
  return text;
}

function blockToText(block: Block): string {
  switch (block.type) {
    case "heading": {
      const text = onOneLine(block.text);
      return text && `## ${text}`;
    }
    case "paragraph":
      return inlineToText(block.text, block.marks)
        .split("\n")
        .map((line) => escapeLine(line, lineMarks["numbered-list"]))
        .join("\n");
    case "quote":
      return prefixLines("> ", inlineToText(block.text, block.marks));
    case "note":
      return prefixLines("!! ", inlineToText(block.text, block.marks));
    case "list":
      return itemsToText(block, () => "- ");
    case "numbered-list":
      return itemsToText(block, (number) => `${number}. `);
    case "image": {
      const { src, alt, width, height } = block;
      const words = onOneLine(alt).replace(/[\\\]]/g, "\\$&");
      return `![${words}](${src.replace(/\s/g, encodeURIComponent)} "${width}x${height}")`;
    }
  }
}

function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}

function prefixLines(prefix: string, text: string): string {
  const lines = text.trim().split("\n");
  return text.trim() && lines.map((line) => (prefix + line).trimEnd()).join("\n");
}

function itemsToText(
  { items, itemMarks }: Extract<Block, { items: string[] }>,
  prefix: (number: number) => string,
): string {
  return items
    .map((item, index) => inlineToText(item, itemMarks?.[index]).trim())
    .filter(Boolean)
    .map((text, index) => {
      const [first, ...others] = text.split(/\s*\n\s*/);
      return [
        `${prefix(index + 1)}${first}`,
        ...others.map((line) => `  ${escapeLine(line, /^\d+\.[ \t]/)}`),
      ];
    })
    .map((lines) => lines.join("\n"))
    .join("\n");
}

/**
 * Escapes what would start a marked block.
 * @param number also starts one: only 1 in a paragraph, so that '1986. A good year' stays readable
 */
function escapeLine(line: string, number: RegExp): string {
  const [, indent = "", rest = ""] = /^([ \t]*)(.*)$/s.exec(line) ?? [];
  if (number.test(rest)) return indent + rest.replace(".", "\\.");
  const isMarked = Object.values(lineMarks).some((mark) => mark.test(rest));
  return isMarked || rest.startsWith("![") ? `${indent}\\${rest}` : line;
}

/** What the marks of a text need at one of its offsets. */
interface Edge {
  stars: number;
  closesLink?: string;
  opensLink?: boolean;
}

function inlineToText(text: string, stored: readonly Mark[] = []): string {
  const marks = normalizeMarks(text, stored);
  const hasLinks = marks.some(({ type }) => type === "link");
  const edges = edgesOf(marks);
  const offsets = [...new Set([0, ...edges.keys(), text.length])].sort((a, b) => a - b);
  let written = "";
  let inLink = false;
  // Which of bold (2) and italic (1) are open; an edge toggles them.
  let open = 0;
  for (const [index, start] of offsets.entries()) {
    const edge = edges.get(start);
    if (edge) {
      const { stars, closesLink, opensLink } = edge;
      if (closesLink !== undefined) written += `](${targetToText(closesLink)})`;
      written += "*".repeat(stars) + (opensLink ? "[" : "");
      open ^= stars;
      inLink = opensLink === true || (inLink && closesLink === undefined);
    }
    const end = offsets[index + 1] ?? start;
    written += escapeInline(text.slice(start, end), {
      isOpen: open > 0,
      inLink,
      hasLinks,
      isStart: start === 0 && !edge,
      isEnd: end === text.length && !edges.has(end),
    });
  }
  return written;
}

function edgesOf(marks: readonly Mark[]): Map<number, Edge> {
  const edges = new Map<number, Edge>();
  const edgeAt = (offset: number) => {
    const edge = edges.get(offset) ?? { stars: 0 };
    edges.set(offset, edge);
    return edge;
  };
  for (const mark of marks) {
    if (mark.type === "link") {
      edgeAt(mark.start).opensLink = true;
      edgeAt(mark.end).closesLink = mark.href;
    } else {
      const stars = mark.type === "bold" ? 2 : 1;
      edgeAt(mark.start).stars += stars;
      edgeAt(mark.end).stars += stars;
    }
  }
  return edges;
}

interface Surroundings {
  /** Whether the text is bold or italic. */
  isOpen: boolean;
  inLink: boolean;
  /** Whether there is a link anywhere in the block. */
  hasLinks: boolean;
  /** Whether the text is the start and the end of its block, without a mark there. */
  isStart: boolean;
  isEnd: boolean;
}

/** Escapes only what would be read as a mark, so that 'Guaranteed*' and '[1]' stay readable. */
function escapeInline(text: string, around: Surroundings): string {
  const { isOpen, inLink, hasLinks, isStart, isEnd } = around;
  return text.replace(/[\\*[\]]/g, (character, index: number) => {
    const next = text[index + 1];
    switch (character) {
      case "*": {
        const opensNothing = next === undefined ? isEnd : /\s/.test(next);
        const isAlone = opensNothing && !isOpen && (index > 0 || isStart);
        return isAlone ? "*" : "\\*";
      }
      case "[":
        return hasLinks ? "\\[" : "[";
      case "]":
        return inLink || next === "(" ? "\\]" : "]";
      default:
        return "\\\\";
    }
  });
}

const { parseLinkDestination } = new MarkdownIt("zero").helpers;

function targetToText(href: string): string {
  const { ok, str, pos } = parseLinkDestination(href, 0, href.length);
  return ok && str === href && pos === href.length ? href : href.replace(/[\\()<>&]/g, "\\$&");
}
