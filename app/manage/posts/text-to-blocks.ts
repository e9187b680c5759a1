// Parses the content field: plain text with a few marks (docs/decisions/2026-11-22-post-text.md).
import MarkdownIt, { type StateBlock, type StateInline, type Token } from "markdown-it";
import { type Block, isImageAddress, isLinkTarget, type Mark } from "../../posts/post-content.ts";

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

/** The blocks of a text. Unmarked text becomes paragraphs, separated by blank lines (section 5). */
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

/** A run of one (italic), two (bold) or three asterisks. Which of them match is decided in `pairStars`. */
function stars(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src[pos] !== "*") return false;
  let end = pos;
  while (end < posMax && src[end] === "*") end++;
  state.pos = end;
  if (silent) return true;
  if (end - pos > 3) {
    state.pending += src.slice(pos, end);
    return true;
  }
  const token = state.push("stars", "", 0);
  token.markup = src.slice(pos, end);
  const isText = (character = " ") => !/\s/.test(character);
  token.info = `${isText(src[end]) ? "opens" : ""} ${isText(src[pos - 1]) ? "closes" : ""}`;
  return true;
}

/** `[text](address)`. Markdown's own rule drops titles and empty links. */
function link(state: StateInline, silent: boolean): boolean {
  const { md, src, pos, posMax } = state;
  if (src[pos] !== "[") return false;
  const labelEnd = md.helpers.parseLinkLabel(state, pos, true);
  if (labelEnd < 0 || src[labelEnd + 1] !== "(") return false;
  if (src.slice(pos + 1, labelEnd).trim() === "") return false;
  const target = md.helpers.parseLinkDestination(src, labelEnd + 2, posMax);
  const isLink = target.ok && target.pos < posMax && src[target.pos] === ")";
  if (!isLink || !isLinkTarget(target.str)) return false;
  if (!silent) {
    state.push("link_open", "a", 1).attrs = [["href", target.str]];
    state.pos = pos + 1;
    state.posMax = labelEnd;
    md.inline.tokenize(state);
    state.push("link_close", "a", -1);
  }
  state.pos = target.pos + 1;
  state.posMax = posMax;
  return true;
}

const markdown = new MarkdownIt("zero").enable("escape");
markdown.block.ruler.before("paragraph", "marked", markedBlock, { alt: ["paragraph"] });
markdown.inline.ruler.push("stars", stars);
markdown.inline.ruler.push("post_link", link);

/** The text of inline tokens, and its marks. */
function readInline(tokens: readonly Token[]): { text: string; marks: Mark[] } {
  const pairs = pairStars(tokens);
  const starts = { bold: 0, italic: 0, link: 0 };
  const marks: Mark[] = [];
  let text = "";
  let href = "";
  for (const token of tokens) {
    if (token.type === "stars") {
      const { closes = [], opens = [] } = pairs.get(token) ?? {};
      for (const kind of closes) {
        marks.push({ type: kind, start: starts[kind], end: text.length });
      }
      const used = [...closes, ...opens].reduce((sum, kind) => sum + starCounts[kind], 0);
      text += token.markup.slice(used);
      for (const kind of opens) starts[kind] = text.length;
    } else if (token.type === "link_open") {
      starts.link = text.length;
      href = String(token.attrGet("href"));
    } else if (token.type === "link_close") {
      marks.push({ type: "link", start: starts.link, end: text.length, href });
    } else {
      text += token.type === "hardbreak" ? "\\\n" : token.content;
    }
  }
  return { text, marks: normalizeMarks(text, marks) };
}

const starCounts = { bold: 2, italic: 1 } as const;
type Emphasis = keyof typeof starCounts;

/**
 * Finds the asterisks that belong together. Unlike Markdown's emphasis, bold and italic text may overlap and may
 * start at any character but a space, because they are stored as ranges.
 */
function pairStars(tokens: readonly Token[]) {
  const pairs = new Map<Token, Record<"opens" | "closes", Emphasis[]>>();
  const pairOf = (token: Token) => {
    const pair = pairs.get(token) ?? { opens: [], closes: [] };
    pairs.set(token, pair);
    return pair;
  };
  for (const kind of ["bold", "italic"] as const) {
    let opener: Token | null = null;
    let isEmpty = true;
    for (const token of tokens) {
      if (token.type !== "stars") {
        if (token.nesting === 0 && token.content !== "") isEmpty = false;
        continue;
      }
      const { length } = token.markup;
      if (length !== 3 && length !== starCounts[kind]) continue;
      if (opener && !isEmpty && token.info.includes("closes")) {
        pairOf(opener).opens.push(kind);
        pairOf(token).closes.push(kind);
        opener = null;
      } else if (token.info.includes("opens")) {
        opener = token;
        isEmpty = true;
      }
    }
  }
  return pairs;
}

/** Joins emphasis that touches, and keeps white space out of its edges, where asterisks would not work. */
export function normalizeMarks(text: string, marks: readonly Mark[]): Mark[] {
  if (marks.length === 0) return [];
  const links = marks.filter(({ type, start, end }) => type === "link" && start < end);
  const emphasis = (["bold", "italic"] as const).flatMap((type) => {
    const ranges: { start: number; end: number }[] = [];
    const sorted = marks.filter((mark) => mark.type === type).sort((a, b) => a.start - b.start);
    for (const { start, end } of sorted) {
      const last = ranges.at(-1);
      if (last && start <= last.end) last.end = Math.max(last.end, end);
      else ranges.push({ start, end });
    }
    return ranges.flatMap(({ start, end }) => {
      const range = text.slice(start, end);
      const trimmed = range.trim();
      const from = start + range.length - range.trimStart().length;
      return trimmed === "" ? [] : [{ type, start: from, end: from + trimmed.length }];
    });
  });
  return [...emphasis, ...links].sort((a, b) => a.start - b.start || b.end - a.end);
}
