// Converts HTML from Word, Google Docs, a web page or an exported post to blocks without its styles.
import type { Block } from "../../posts/blocks.tsx";
import { type Emphasis, emphases, isLinkTarget, type Mark } from "../../posts/formatted-text.tsx";
import {
  isListType,
  isWholeLine,
  markedTypeNames,
  markedTypes,
  wholeLineTypeNames,
  wholeLineTypes,
} from "./block-types.ts";
import { textBlock } from "./marked-blocks.ts";
import { normalizeMarks, trimmed } from "./marked-text.ts";

type PieceType = Block["type"];

const wholeLines = wholeLineTypeNames.map((type) => ({ type, ...wholeLineTypes[type] }));
const markedLines = markedTypeNames.map((type) => ({ type, ...markedTypes[type] }));
/** The elements that become a block of each type. All other text becomes paragraphs. */
const elements = [...markedLines, ...wholeLines].flatMap(({ type, pasted }) =>
  pasted ? [{ type, pasted }] : [],
);

/** Word writes the items of lists as paragraphs. */
const wordItem = "[class*='MsoListParagraph'], [data-style*='mso-list:l']";
/** Google Docs writes the title as a paragraph of this size. */
const titles = "h1, .MsoTitle, p:has(> [data-style*='font-size:26pt'])";
const containers = `${elements.map(({ pasted }) => pasted)}, address, article, aside, div, dd, dl, dt, figcaption, figure, footer, header, li, main, nav, p, pre, section, table, tbody, td, tfoot, th, thead, tr`;

const emphasized: Record<Emphasis, { elements: string; style: RegExp; plainStyle: RegExp }> = {
  bold: {
    elements: "b, strong",
    style: /font-weight:\s*(?:bold|[6-9]00)/i,
    plainStyle: /font-weight:\s*(?:normal|[1-5]00)/i,
  },
  italic: {
    elements: "i, em",
    style: /font-style:\s*italic/i,
    plainStyle: /font-style:\s*normal/i,
  },
};

export interface HtmlContent {
  blocks: Block[];
  /** The title with which the HTML starts, if any. It is not among the blocks. */
  title?: string;
  /** What was not kept as it is, each as a sentence for the owner. */
  notes: string[];
}

/** The blocks of HTML. An image with a web address becomes a link, a table the list of its rows. */
export function htmlToBlocks(html: string): HtmlContent {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  for (const hidden of body.querySelectorAll("script, style, title, meta, link, template")) {
    hidden.remove();
  }
  const notes = replaceImages(body);
  if ([...body.querySelectorAll("table")].some(isTable)) {
    notes.push("A table became a list of its rows.");
  }
  const pieces = childPieces(body);
  const title = pieces[0]?.isTitle ? pieces.shift()?.text.text.replace(/\s+/g, " ") : undefined;
  return { blocks: toBlocks(pieces), ...(title && { title }), notes };
}

/** Removes inline styles, which the Content-Security-Policy forbids even in a document that is only read. */
function withoutStyles(html: string): string {
  return html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/\sstyle=/gi, " data-style=");
}

/** Puts links in the place of images. @returns a note for those without a web address, such as Word's */
function replaceImages(body: Element): string[] {
  let lost = 0;
  for (const image of body.querySelectorAll("img")) {
    const href = image.getAttribute("src") ?? "";
    const link = body.ownerDocument.createElement("a");
    link.textContent = image.getAttribute("alt")?.trim() || "Image";
    link.setAttribute("href", href);
    if (/^https?:/i.test(href) && isLinkTarget(href)) image.replaceWith(link);
    else {
      image.remove();
      lost++;
    }
  }
  if (lost === 0) return [];
  return [
    `${lost === 1 ? "An image" : `${lost} images`} could not be taken: save it as a file, then add it with the button Image.`,
  ];
}

/** Not what only arranges text, with one cell in each row. */
function isTable(table: Element): boolean {
  return [...table.querySelectorAll("tr")].some(({ children }) => children.length > 1);
}

interface PastedText {
  text: string;
  marks: Mark[];
}

/** A block, or one item of a list. */
interface Piece {
  type: PieceType;
  text: PastedText;
  isTitle?: boolean;
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
  if (element.matches(wordItem)) return wordPieces(element);
  if (element.matches(titles)) {
    return toPieces("heading", [element]).map((piece) => ({ ...piece, isTitle: true }));
  }
  if (element.matches("table") && isTable(element)) {
    return [...element.querySelectorAll("tr")].map((row) => ({ type: "list", text: rowText(row) }));
  }
  const type = elements.find(({ pasted }) => element.matches(pasted))?.type;
  if (type && isListType(type)) {
    // Nested lists continue the outer one: a post has lists of one level.
    return [...element.querySelectorAll("li")].flatMap((item) =>
      toPieces(
        type,
        [...item.childNodes].filter((node) => !(node instanceof Element && node.matches("ul, ol"))),
      ),
    );
  }
  if (type && isWholeLine({ type })) return [{ type, text: { text: "", marks: [] } }];
  if (type) return toPieces(type, [element]);
  return element.querySelector(containers)
    ? childPieces(element)
    : toPieces("paragraph", [element]);
}

function rowText({ children }: Element): PastedText {
  const marks: Mark[] = [];
  let text = "";
  for (const cell of children) {
    const part = textOf([cell]);
    if (text && part.text) text += " – ";
    const at = text.length;
    marks.push(
      ...part.marks.map((mark) => ({ ...mark, start: mark.start + at, end: mark.end + at })),
    );
    text += part.text.replaceAll("\n", " ");
  }
  return { text, marks };
}

function toPieces(type: PieceType, nodes: readonly Node[]): Piece[] {
  const text = textOf(nodes);
  return text.text ? [{ type, text }] : [];
}

/** A paragraph of Word. An item starts with a bullet or a number; without one it is only indented. */
function wordPieces(element: Element): Piece[] {
  const ignored = element.querySelector("[data-style*='mso-list:Ignore']");
  const sign = ignored?.textContent?.trim();
  ignored?.remove();
  const { text, marks } = textOf([element]);
  const [bullet = "", number] =
    (ignored ? null : /^(?:(\d{1,3})[.)]|[^\p{L}\p{N}\s]|o)\s+/u.exec(text)) ?? [];
  const shifted = marks.map((mark) => ({
    ...mark,
    start: Math.max(0, mark.start - bullet.length),
    end: mark.end - bullet.length,
  }));
  const item = { text: text.slice(bullet.length), marks: shifted.filter(({ end }) => end > 0) };
  if (!item.text) return [];
  const isNumbered = number !== undefined || /^\(?\w{1,4}[.)]$/.test(sign ?? "");
  const type = isNumbered ? "numbered-list" : sign || bullet ? "list" : "paragraph";
  return [{ type, text: item }];
}

function toBlocks(pieces: readonly Piece[]): Block[] {
  const groups: { type: PieceType; texts: PastedText[] }[] = [];
  for (const { type, text } of pieces) {
    if (!text.text && !isWholeLine({ type })) continue;
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
      const { elements, ...signs } = emphasized[type];
      return (
        signs.style.test(style) || (element.matches(elements) && !signs.plainStyle.test(style))
      );
    })
    .map((type) => ({ type }));
  const href = element.getAttribute("href") ?? "";
  return element.tagName === "A" && isLinkTarget(href)
    ? [...formats, { type: "link", href }]
    : formats;
}
