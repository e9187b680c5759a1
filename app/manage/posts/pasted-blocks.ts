// Converts pasted HTML, as from Word, Google Docs or a web page, to blocks without its styles.
import type { Block } from "../../posts/blocks.tsx";
import { type Emphasis, emphases, isLinkTarget, type Mark } from "../../posts/formatted-text.tsx";
import {
  isListType,
  type MarkedTypeName,
  markedTypeNames,
  markedTypes,
  textBlock,
} from "./marked-blocks.ts";
import { emphasisSigns, normalizeMarks, trimmed } from "./marked-text.ts";

const containers =
  "address, article, aside, blockquote, div, dd, dl, dt, figure, footer, h1, h2, h3, h4, h5, h6, header, li, main, nav, ol, p, pre, section, table, tbody, td, th, thead, tr, ul";
const wordItem = "[class*='MsoListParagraph']";

/** Elements whose structure plain text lacks. */
const structure = [
  ...Object.values(markedTypes).flatMap(({ pasted }) => pasted ?? []),
  ...Object.values(emphasisSigns).map(({ elements }) => elements),
  "p, a[href], [data-style*='font-weight'], [data-style*='italic']",
  wordItem,
].join();

/** Null when the HTML has no structure that plain text lacks. */
export function pastedBlocks(html: string): Block[] | null {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  for (const hidden of body.querySelectorAll("script, title, meta, link, template")) {
    hidden.remove();
  }
  if (!body.querySelector(structure)) return null;
  const blocks = toBlocks(childPieces(body));
  return blocks.length > 0 ? blocks : null;
}

/** Removes inline styles, which the Content-Security-Policy forbids even in a document that is only read. */
function withoutStyles(html: string): string {
  return html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/\sstyle=/gi, " data-style=");
}

interface PastedText {
  text: string;
  marks: Mark[];
}

/** A block, or one item of a list. */
interface Piece {
  type: MarkedTypeName | "paragraph";
  text: PastedText;
}

function childPieces(parent: Element): Piece[] {
  // Inline nodes that follow each other are one paragraph.
  const groups: Node[][] = [];
  let isInline = false;
  for (const node of parent.childNodes) {
    const wasInline = isInline;
    isInline = !isBlock(node);
    if (isInline && wasInline) groups.at(-1)?.push(node);
    else groups.push([node]);
  }
  return groups.flatMap((nodes) => {
    const [first] = nodes;
    return first instanceof Element && isBlock(first)
      ? blockPieces(first)
      : toPieces("paragraph", nodes);
  });
}

function isBlock(node: Node): boolean {
  return (
    node instanceof Element && (node.matches(containers) || node.querySelector(containers) !== null)
  );
}

function blockPieces(element: Element): Piece[] {
  if (element.matches(wordItem)) return wordItemPieces(element);
  const type = markedTypeNames.find((name) =>
    element.matches(markedTypes[name].pasted ?? ":not(*)"),
  );
  if (type && isListType(type)) {
    // Nested lists continue the outer one: a post has lists of one level.
    return [...element.querySelectorAll("li")].flatMap((item) =>
      toPieces(
        type,
        [...item.childNodes].filter((node) => !isList(node)),
      ),
    );
  }
  if (type) return toPieces(type, [element]);
  return element.querySelector(containers)
    ? childPieces(element)
    : toPieces("paragraph", [element]);
}

function isList(node: Node): boolean {
  return node instanceof Element && node.matches("ul, ol");
}

function toPieces(type: Piece["type"], nodes: readonly Node[]): Piece[] {
  const text = textOf(nodes);
  return text.text ? [{ type, text }] : [];
}

/** Word writes items as paragraphs that start with a bullet or a number. */
function wordItemPieces(element: Element): Piece[] {
  const { text, marks } = textOf([element]);
  const [bullet = "", number] = /^(?:(\d{1,3})[.)]|[^\p{L}\p{N}\s]|o)\s+/u.exec(text) ?? [];
  const shifted = marks.map((mark) => ({
    ...mark,
    start: Math.max(0, mark.start - bullet.length),
    end: mark.end - bullet.length,
  }));
  const item = { text: text.slice(bullet.length), marks: shifted.filter(({ end }) => end > 0) };
  return [{ type: number ? "numbered-list" : "list", text: item }];
}

/** Joins consecutive items into one list. */
function toBlocks(pieces: readonly Piece[]): Block[] {
  const groups: { type: Piece["type"]; texts: PastedText[] }[] = [];
  for (const { type, text } of pieces) {
    const last = groups.at(-1);
    if (last?.type === type && isListType(type)) last.texts.push(text);
    else groups.push({ type, texts: [text] });
  }
  return groups.map(({ type, texts }) => textBlock(type, texts));
}

/** The text of inline nodes with its marks. White space is collapsed as browsers do. */
function textOf(nodes: readonly Node[]): PastedText {
  const marks: Mark[] = [];
  let text = "";
  for (const { part, formats } of nodes.flatMap((node) => leavesOf(node))) {
    if (part === "\n") text = text.trimEnd();
    const start = text.length;
    text += start === 0 || /\s$/.test(text) ? part.trimStart() : part;
    marks.push(...formats.map((format) => ({ ...format, start, end: text.length })));
  }
  const joined = normalizeMarks(text, marks).map((mark) => ({ ...mark, ...trimmed(text, mark) }));
  return { text: text.trimEnd(), marks: joined.filter(({ start, end }) => start < end) };
}

/** A mark without a position. */
type Format = { type: Emphasis } | { type: "link"; href: string };

/** The texts in a node, each with its formats. A line break is a text of its own. */
function leavesOf(node: Node): { part: string; formats: Format[] }[] {
  if (node instanceof Text) return [{ part: node.data.replace(/[\s\u00a0]+/g, " "), formats: [] }];
  if (!(node instanceof HTMLElement)) return [];
  const formats = formatsOf(node);
  const leaves = [...node.childNodes].flatMap((child) => leavesOf(child));
  if (node.matches("br, p, div, li")) leaves.push({ part: "\n", formats: [] });
  return leaves.map((leaf) => ({ ...leaf, formats: [...formats, ...leaf.formats] }));
}

function formatsOf(element: HTMLElement): Format[] {
  const { style = "" } = element.dataset;
  const formats: Format[] = emphases
    .filter((type) => {
      const signs = emphasisSigns[type];
      return (
        signs.style.test(style) ||
        (element.matches(signs.elements) && !signs.plainStyle.test(style))
      );
    })
    .map((type) => ({ type }));
  const href = element.getAttribute("href") ?? "";
  return element.tagName === "A" && isLinkTarget(href)
    ? [...formats, { type: "link", href }]
    : formats;
}
