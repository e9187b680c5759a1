// Parses the content field: plain text with a few marks (docs/decisions/2026-11-22-post-text.md).
import MarkdownIt, { type StateBlock, type Token } from "markdown-it";
import { type Block, isImageAddress, type Mark } from "../../posts/post-content.ts";
import { link, readInline, stars } from "./inline-marks.ts";

/** What the first line of each marked block starts with. */
export const lineMarks = {
  heading: /^#{1,6}[ \t]+(?=\S)/,
  list: /^-[ \t]+(?=\S)/,
  "numbered-list": /^1\.[ \t]+(?=\S)/,
  quote: /^>[ \t]+(?=\S)/,
  note: /^!![ \t]+(?=\S)/,
} as const;

type MarkedType = keyof typeof lineMarks;

/** An item after the first one. It counts on from it, so that a year such as '1986.' starts no item. */
const laterItem = /^(\d{1,9})\.[ \t]+(?=\S)/;
const laterQuote = /^>(?:[ \t]+|$)/;
const laterNote = /^!!(?:[ \t]+|$)/;

/** The blocks of a text. Unmarked text becomes paragraphs, separated by blank lines. */
export function textToBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let pieces: { text: string; marks: Mark[] }[] = [];
  for (const token of markdown.parse(toStorableText(text), {})) {
    if (token.nesting === 1) {
      pieces = [];
    } else if (token.type === "inline") {
      pieces.push(readInline(token.children ?? []));
    } else {
      blocks.push(toBlock(token, pieces));
    }
  }
  return blocks;
}

/** PostgreSQL stores no NUL and no lone surrogates. Lines of other white space are blank, too. */
function toStorableText(text: string): string {
  return text
    .replace(/\0/g, "")
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/\r\n?/g, "\n")
    .replace(/(^|\n)[^\S\n]+(?=\n|$)/g, "$1");
}

/** @param token closes the block; its tag is the block's type */
function toBlock(token: Token, pieces: readonly { text: string; marks: Mark[] }[]): Block {
  const [first = { text: "", marks: [] }] = pieces;
  switch (token.tag) {
    case "heading":
      return { type: "heading", text: token.content };
    case "image":
      return {
        type: "image",
        src: String(token.attrGet("src")),
        alt: token.content,
        width: Number(token.attrGet("width")),
        height: Number(token.attrGet("height")),
      };
    case "list":
    case "numbered-list": {
      const itemMarks = pieces.map(({ marks }) => marks);
      return {
        type: token.tag,
        items: pieces.map(({ text }) => text),
        ...(itemMarks.some(({ length }) => length > 0) && { itemMarks }),
      };
    }
    default: {
      const type = token.tag === "quote" || token.tag === "note" ? token.tag : "paragraph";
      return {
        type,
        text: first.text,
        ...(first.marks.length > 0 && { marks: first.marks }),
      };
    }
  }
}

/** Markdown's own lists nest and start at any number, so a post has a simpler rule for all its blocks. */
function markedBlock(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const first = lineAt(state, startLine);
  const type = markedTypeOf(first);
  if (!type) return false;
  if (silent) return true;

  state.line = startLine + 1;
  if (type === "image") {
    pushImage(state, first);
  } else if (type === "heading") {
    state.push("heading", type, 0).content = first.replace(lineMarks.heading, "").trim();
  } else {
    pushLines(state, type, startLine, endLine);
  }
  return true;
}

const imageLine = /^!\[((?:\\.|[^\\\]])*)\]\((\S+) "([1-9]\d{0,5})x([1-9]\d{0,5})"\)\s*$/;

function markedTypeOf(line: string): MarkedType | "image" | undefined {
  // Most lines start with a letter.
  if (!/^[#1>!-]/.test(line)) return undefined;
  if (isImageAddress(imageLine.exec(line)?.[2] ?? "")) return "image";
  // The keys of a constant object are exactly those of its type.
  return (Object.keys(lineMarks) as MarkedType[]).find((type) => lineMarks[type].test(line));
}

function pushImage(state: StateBlock, line: string): void {
  const [, alt = "", src = "", width = "", height = ""] = imageLine.exec(line) ?? [];
  const token = state.push("image", "image", 0);
  token.content = alt.replace(/\\([\\\]])/g, "$1").trim();
  token.attrs = Object.entries({ src, width, height });
}

/** Reads a list, a quote or a note: up to a blank line or another mark. */
function pushLines(
  state: StateBlock,
  type: Exclude<MarkedType, "heading">,
  startLine: number,
  endLine: number,
): void {
  const isList = type === "list" || type === "numbered-list";
  const parts: string[] = [];
  let line = startLine;
  for (; line < endLine; line++) {
    const text = lineAt(state, line);
    const rest = restOfLine(type, text, parts.length);
    if (rest !== null) {
      parts.push(rest.trim());
    } else if (text === "") {
      // A single blank line may separate items.
      const next = line + 1 < endLine ? lineAt(state, line + 1) : "";
      if (!isList || restOfLine(type, next, parts.length) === null) break;
    } else if (markedTypeOf(text)) {
      break;
    } else {
      parts.push(`${parts.pop()}\n${text.trim()}`);
    }
  }
  state.line = line;

  state.push("marked_open", type, 1);
  for (const part of isList ? parts : [parts.join("\n")]) {
    const token = state.push("inline", "", 0);
    token.content = part.trim();
    token.children = [];
  }
  state.push("marked_close", type, -1);
}

/** What follows the mark of a line that continues a block; null for a line without that mark. */
function restOfLine(type: Exclude<MarkedType, "heading">, line: string, count: number) {
  const mark =
    count === 0
      ? lineMarks[type]
      : { list: lineMarks.list, "numbered-list": laterItem, quote: laterQuote, note: laterNote }[
          type
        ];
  const match = mark.exec(line);
  if (!match) return null;
  const number = Number(match[1] ?? 1);
  return number === 1 || number === count + 1 ? line.slice(match[0].length) : null;
}

function lineAt(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]);
}

const markdown = new MarkdownIt("zero").enable("escape");
markdown.block.ruler.before("paragraph", "marked", markedBlock, { alt: ["paragraph"] });
markdown.inline.ruler.push("stars", stars);
markdown.inline.ruler.push("post_link", link);
