// Converts HTML from Word, Google Docs, a web page or an exported post to blocks without its styles.
import { type Block, maxTableCells, maxTableColumns } from "../../posts/blocks.tsx";
import { isLinkTarget, type Mark } from "../../posts/formatted-text.tsx";
import { type ForeignHtml, parseForeignHtml } from "../foreign-html/parse-html.ts";
import {
  losesRows,
  type ReadText,
  readTable,
  removeHiddenColumns,
  tables,
} from "../foreign-html/read-table.ts";
import {
  cells,
  headings,
  isLostLink,
  isSeen,
  isTiny,
  LeftOut,
  type Look,
  looksOf,
  media,
  removeLeftOut,
} from "../foreign-html/shown-html.ts";
import {
  isListType,
  isWholeLine,
  markedTypeNames,
  markedTypes,
  type TableBlock,
  wholeLineTypeNames,
  wholeLineTypes,
} from "./block-types.ts";
import { tableBlock, textBlock } from "./marked-blocks.ts";
import {
  append,
  joinLeaves,
  type Leaf,
  nothing,
  shiftedText,
  slice,
  splitAtBlankLines,
  withoutBlankLines,
} from "./read-text.ts";

/** The elements that become a block of each type. All other text becomes paragraphs. */
const elements = [
  ...markedTypeNames.map((type) => ({ type, ...markedTypes[type] })),
  ...wholeLineTypeNames.map((type) => ({ type, ...wholeLineTypes[type] })),
].flatMap(({ type, pasted }) => (pasted ? [{ type, pasted }] : []));

const lists = "ul, ol, menu, dir";
const containers = `${elements.map(({ pasted }) => pasted)}, ${tables}, ${lists}, address, article, aside, caption, center, dd, details, dialog, div, dl, dt, fieldset, figcaption, figure, footer, form, header, hgroup, hr, legend, li, main, nav, p, pre, search, section, summary, tbody, td, tfoot, th, thead, tr`;

export interface HtmlContent {
  blocks: Block[];
  /** The title with which the HTML starts, if any. It is not among the blocks. */
  title?: string;
  /** What was not kept as it is, each as a sentence for the owner. */
  notes: string[];
}

/** The blocks of HTML. An image with a web address becomes a link. */
export function htmlToBlocks(html: string): HtmlContent {
  return new HtmlReader(parseForeignHtml(html)).read();
}

/** A block, a part of one, or one item of a list. */
interface Piece {
  type: Block["type"];
  text: ReadText;
  isTitle?: boolean;
  /** How deep an item is in its list, and the sign that it has there. */
  level?: number;
  sign?: string;
  table?: TableBlock;
}

class HtmlReader {
  readonly #body: HTMLElement;
  readonly #declared: ForeignHtml["declared"];
  readonly #look: (element: Element) => Look;
  readonly #leftOut = new LeftOut();
  readonly #notes = new Set<string>();
  #merged = 0;
  /** The elements that are blocks, and those with blocks in them. */
  readonly #blocks = new Set<Node>();
  readonly #holders = new Set<Node>();

  constructor(html: ForeignHtml) {
    this.#body = html.body;
    this.#declared = html.declared;
    this.#look = looksOf(html);
    removeLeftOut(html, this.#look, this.#leftOut);
    for (const table of html.body.querySelectorAll(tables)) {
      removeHiddenColumns(table, this.#look, this.#leftOut);
    }
  }

  read(): HtmlContent {
    const links = [...this.#body.querySelectorAll("a[href]")].filter(isLostLink);
    this.#leftOut.add("link", links.filter(({ textContent }) => isSeen(textContent ?? "")).length);
    const lost = this.#replaceMedia();
    for (const element of this.#body.querySelectorAll("*")) {
      if (!this.#isContainer(element)) continue;
      this.#blocks.add(element);
      for (let at = element.parentElement; at && !this.#holders.has(at); at = at.parentElement) {
        this.#holders.add(at);
      }
    }
    const pieces = this.#childPieces(this.#body);
    const title = pieces[0]?.isTitle ? pieces.shift()?.text.text : undefined;
    const blocks = this.#toBlocks(pieces);
    if (this.#merged > 0) this.#notes.add(splitNote(this.#merged));
    const notes = [...this.#leftOut.notes(), ...lost, ...this.#notes];
    return { blocks, ...(title && { title }), notes };
  }

  #isContainer(element: Element): boolean {
    const display = this.#declared(element).get("display") ?? "";
    return element.matches(containers) || /^(?:block|flex|grid|table|list-item)/.test(display);
  }

  #isBlock(node: Node | undefined): node is Element {
    return node !== undefined && (this.#blocks.has(node) || this.#holders.has(node));
  }

  /** Puts links in the place of images and videos. @returns notes for those without a web address, such as Word's images */
  #replaceMedia(): string[] {
    let lost = 0;
    let isVideoLost = false;
    for (const element of this.#body.querySelectorAll(`${media}, svg`)) {
      if (!element.isConnected) continue;
      const { href, words, isImage, isTracker } = describe(element);
      const link = this.#body.ownerDocument.createElement("a");
      link.textContent = words || (isImage ? "Image" : "Video");
      link.setAttribute("href", href);
      if (isImage && emoji.test(words)) element.replaceWith(words);
      else if (/^https?:/i.test(href) && isLinkTarget(href) && !isTracker)
        element.replaceWith(link);
      else {
        element.remove();
        if (isImage && !isTracker) lost++;
        isVideoLost ||= element.matches("video, audio, embed, object");
      }
    }
    const images = lost === 1 ? "An image" : `${lost} images`;
    return [
      ...(lost > 0
        ? [`${images} could not be taken: save it as a file, then add it with the button Image.`]
        : []),
      ...(isVideoLost ? ["A video or sound could not be taken: add a link to it."] : []),
    ];
  }

  #childPieces(parent: Element): Piece[] {
    // Inline nodes that follow each other are one paragraph.
    const groups: Node[][] = [];
    let isInline = false;
    const hasBlankLines = [...parent.children].some((child) => this.#isBlankLine(child));
    for (const node of parent.childNodes) {
      const wasInline = isInline;
      isInline = !this.#isBlock(node) || (hasBlankLines && this.#isLine(node));
      if (isInline && wasInline) groups.at(-1)?.push(node);
      else groups.push([node]);
    }
    return groups.flatMap((nodes) => {
      const [first] = nodes;
      return nodes.length === 1 && this.#isBlock(first)
        ? this.#blockPieces(first)
        : this.#toPieces("paragraph", nodes);
    });
  }

  /** Mails and notes have each line in an element without space around it, and empty ones between paragraphs. */
  #isLine(element: Element): boolean {
    const isPlain = element.localName === "div" || element.localName === "p";
    if (!isPlain || this.#holders.has(element) || this.#isItem(element)) return false;
    return element.localName === "div" || /^0/.test(this.#declared(element).get("margin") ?? "");
  }

  #isBlankLine(element: Element): boolean {
    return (
      this.#isLine(element) &&
      element.querySelector("br") !== null &&
      !isSeen(element.textContent ?? "")
    );
  }

  #blockPieces(element: Element): Piece[] {
    const item = this.#wordItem(element);
    if (item) return item;
    if (this.#isTitle(element)) {
      return this.#toPieces("heading", [element]).map((piece) => ({ ...piece, isTitle: true }));
    }
    if (element.matches(tables)) return this.#tablePieces(element);
    if (element.matches(lists)) return this.#listPieces(element);
    const type = elements.find(({ pasted }) => element.matches(pasted))?.type;
    if (type && isWholeLine({ type })) return [{ type, text: nothing }];
    if (type && !element.querySelector(`${headings}, ${lists}, ${tables}`)) {
      return this.#toPieces(type, [element]);
    }
    if (!this.#holders.has(element) || this.#isOfLines(element)) {
      return this.#toPieces("paragraph", [element]);
    }
    const pieces = this.#childPieces(element);
    return type ? asType(type, pieces) : pieces;
  }

  /** Editors of code copy each line as an element. */
  #isOfLines(element: Element): boolean {
    const isPre =
      element.localName === "pre" || this.#declared(element).get("white-space") === "pre";
    return (
      isPre &&
      [...element.querySelectorAll("*")].every(
        (each) => !this.#blocks.has(each) || each.localName === "div",
      )
    );
  }

  #isTitle(element: Element): boolean {
    if (element.matches("h1, .MsoTitle")) return true;
    // Google Docs writes the title as a paragraph of this size.
    const isLarge = (child: Element) => this.#declared(child).get("font-size") === "26pt";
    return element.localName === "p" && [...element.children].some(isLarge);
  }

  #toPieces(type: Piece["type"], nodes: readonly Node[]): Piece[] {
    return this.#textPieces(type, joinLeaves(nodes.flatMap((node) => this.#leavesOf(node))));
  }

  #textPieces(type: Piece["type"], text: ReadText): Piece[] {
    if (!isSeen(text.text)) return [];
    if (type === "paragraph") return splitAtBlankLines(text).map((part) => ({ type, text: part }));
    if (type === "quote") return [{ type, text: withoutWhole(text) }];
    if (isListType(type)) return [{ type, text: withoutBlankLines(text) }];
    // A heading has no marks.
    this.#leftOut.add("headingLink", text.marks.filter((mark) => mark.type === "link").length);
    return [{ type, text: { text: text.text.replace(/\s+/g, " "), marks: [] } }];
  }

  /** A paragraph of Word that is an item. It starts with a bullet or a number; without one it is only indented. */
  #wordItem(element: Element): Piece[] | null {
    if (!this.#isItem(element)) return null;
    const list = this.#declared(element).get("mso-list") ?? "";
    const ignored = [...element.querySelectorAll("*")].find((each) => this.#isSign(each));
    const sign = ignored?.textContent?.trim();
    ignored?.remove();
    const text = joinLeaves(this.#leavesOf(element));
    const [bullet = "", number] =
      (ignored ? null : /^(?:(\d{1,3})[.)]|[^\p{L}\p{N}\s]|o)\s+/u.exec(text.text)) ?? [];
    const isNumbered = number !== undefined || /^\(?\w{1,4}[.)]$/.test(sign ?? "");
    const type = isNumbered ? "numbered-list" : sign || bullet ? "list" : "paragraph";
    const [, level = "1"] = /level(\d)/.exec(list) ?? [];
    return this.#textPieces(type, slice(text, bullet.length, text.text.length)).map((piece) => ({
      ...piece,
      level: Number(level),
      sign: isNumbered ? (sign ?? `${number}.`) : undefined,
    }));
  }

  #isItem(element: Element): boolean {
    const list = this.#declared(element).get("mso-list") ?? "";
    const isItem = /^l\d/.test(list) || /(?:^|\s)MsoListParagraph/.test(element.className);
    return isItem && element.matches("p, div");
  }

  #isSign(element: Element): boolean {
    return /^ignore$/i.test(this.#declared(element).get("mso-list") ?? "");
  }

  /** The items of a list. A post has lists of one level: deeper items are lines of the item above them. */
  #listPieces(list: Element): Piece[] {
    const type = list.localName === "ol" ? "numbered-list" : "list";
    const pieces: Piece[] = [];
    for (const child of list.childNodes) {
      const item = child instanceof Element && child.localName === "li" ? child : null;
      if (item?.querySelector(tables)) {
        pieces.push(...asType(type, this.#childPieces(item)));
        continue;
      }
      const leaves = [...(item?.childNodes ?? [child])].flatMap((node) => this.#leavesOf(node));
      const text = withoutBlankLines(joinLeaves(leaves));
      const starts = leaves.find((leaf) => leaf.kind === "sign" || isWord(leaf));
      const last = pieces.at(-1);
      if (starts?.kind === "sign" && last) last.text = append(last.text, "\n", text);
      else if (starts?.kind === "sign" && child instanceof Element) {
        const inner = child.matches(lists) ? [child] : [...child.children];
        pieces.push(...inner.flatMap((each) => this.#blockPieces(each)));
      } else {
        const sign = item && type === "numbered-list" ? `${numberOf(item)}.` : undefined;
        // Word for the web writes each item as a list of its own.
        const level = Number(item?.getAttribute("data-aria-level")) || 1;
        pieces.push(...this.#textPieces(type, text).map((piece) => ({ ...piece, sign, level })));
      }
    }
    return pieces;
  }

  #tablePieces(element: Element): Piece[] {
    const read = readTable(element, this.#look, (part) =>
      withoutBlankLines(joinLeaves([...part.childNodes].flatMap((node) => this.#leavesOf(node)))),
    );
    if (!read) {
      if (losesRows(element)) {
        this.#notes.add("A table with another one in a cell became paragraphs.");
      }
      return this.#childPieces(element);
    }
    const { rows, hasHeader, above, below, merged } = read;
    const narrow = rows.map((row) => row.slice(0, maxTableColumns));
    const kept = narrow.slice(0, Math.floor(maxTableCells / (narrow[0]?.length ?? 1)));
    this.#merged += merged;
    this.#noteCut(kept[0], rows[0], "columns");
    this.#noteCut(kept, rows, "rows");
    if (element.querySelector(tables)) {
      this.#notes.add("A table in a cell of another one became text of that cell.");
    }
    const table = tableBlock(kept, hasHeader);
    const paragraphs = (texts: readonly ReadText[]) =>
      texts.flatMap((text) => this.#textPieces("paragraph", text));
    return [
      ...paragraphs(above),
      ...(table ? [{ type: table.type, text: nothing, table }] : paragraphs(rows.flat())),
      ...paragraphs(below),
    ];
  }

  #noteCut(kept: readonly unknown[] = [], all: readonly unknown[] = [], what: string): void {
    if (kept.length === all.length) return;
    const [first, count] = [kept, all].map(({ length }) => length.toLocaleString("en-US"));
    this.#notes.add(`A table has only its first ${first} of ${count} ${what}.`);
  }

  #toBlocks(pieces: readonly Piece[]): Block[] {
    const groups: (Omit<Piece, "text" | "level"> & { texts: ReadText[]; level: number })[] = [];
    for (const { type, text, level = 1, sign, table } of pieces) {
      const last = groups.at(-1);
      const item = last?.texts.at(-1);
      const number = Number.parseInt(sign?.replace("(", "") ?? "", 10);
      if (last && item && isListType(last.type) && isListType(type) && level > last.level) {
        const start = `\n${sign ?? "–".repeat(level - last.level)} `;
        last.texts.splice(-1, 1, append(item, start, text));
      } else if (last?.type === type && isListType(type) && number !== 1) last.texts.push(text);
      else {
        if (number > 1) this.#notes.add(`A numbered list that started at ${number} starts at 1.`);
        groups.push({ type, texts: [text], level, table });
      }
    }
    return groups.flatMap(({ type, texts, table }) =>
      type === "table" ? (table ?? []) : textBlock(type, texts),
    );
  }

  /** The texts in a node and what separates them. @param depth of lists around it */
  #leavesOf(node: Node, depth = 0): Leaf[] {
    if (node instanceof Text) {
      const look = this.#look(node.parentElement ?? this.#body);
      return [{ kind: "text", text: node.data, look }];
    }
    if (!(node instanceof Element) || node.localName === "svg") return [];
    if (node.localName === "br") return [{ kind: "line break" }];
    if (this.#isSign(node)) return [{ kind: "sign", sign: `${signOf(node.textContent ?? "")} ` }];
    const innerDepth = node.matches(lists) ? depth + 1 : depth;
    const leaves = [...node.childNodes].flatMap((child) => this.#leavesOf(child, innerDepth));
    const look = this.#look(node);
    if (look.shift?.element === node) return shiftLeaves(leaves, look.shift.by, textBefore(node));
    if (node.localName === "q") {
      return [{ kind: "text", text: "“", look }, ...leaves, { kind: "text", text: "”", look }];
    }
    if (node.matches(cells)) {
      return node.previousElementSibling ? [{ kind: "next cell" }, ...leaves] : leaves;
    }
    if (!this.#blocks.has(node)) return leaves;
    const sign: Leaf[] =
      node.localName === "li" ? [{ kind: "sign", sign: itemSign(node, depth) }] : [];
    return [{ kind: "edge of a block" }, ...sign, ...leaves, { kind: "edge of a block" }];
  }
}

/** A quote looks like one, whatever the style that its author gave all of it. */
function withoutWhole({ text, marks }: ReadText): ReadText {
  const isWhole = ({ type, start, end }: Mark) =>
    type !== "link" && start === 0 && end === text.length;
  return { text, marks: marks.filter((mark) => !isWhole(mark)) };
}

function splitNote(count: number): string {
  return count === 1
    ? "1 merged cell of a table was split. Its text is in its first part."
    : `${count} merged cells of tables were split. Their text is in their first part.`;
}

function asType(type: Piece["type"], pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece) => (piece.type === "paragraph" ? { ...piece, type } : piece));
}

function isWord(leaf: Leaf): leaf is Extract<Leaf, { kind: "text" }> {
  return leaf.kind === "text" && leaf.text.trim() !== "";
}

/** Word's own sign of an item, or the one for bullets. */
function signOf(text: string): string {
  return /^\(?\w{1,4}[.)]$/.test(text.trim()) ? text.trim() : "–";
}

function itemSign(item: Element, depth: number): string {
  const isNumbered = item.parentElement?.localName === "ol";
  if (!isNumbered) return `${"–".repeat(Math.max(depth, 1))} `;
  return `${"–".repeat(Math.max(depth - 1, 0))}${numberOf(item)}. `;
}

function numberOf(item: Element): number {
  const numberIn = (element: Element | null, name: string) =>
    Number.parseInt(element?.getAttribute(name) ?? "", 10);
  const own = numberIn(item, "value");
  if (!Number.isNaN(own)) return own;
  let before = item.previousElementSibling;
  while (before && before.localName !== "li") before = before.previousElementSibling;
  return before ? numberOf(before) + 1 : numberIn(item.parentElement, "start") || 1;
}

/** One superscript can consist of several elements, such as one for its sign and one for its number. They are read as one text. */
function shiftLeaves(leaves: Leaf[], by: "super" | "sub", before: string): Leaf[] {
  const words = leaves.filter(isWord);
  const whole = words
    .map(({ text }) => text)
    .join("")
    .trim();
  const shifted = shiftedText(whole, by, before);
  if (shifted === whole) return leaves;
  let start = 0;
  let end = Math.max(0, shifted.indexOf(whole));
  return leaves.map((leaf) => {
    if (!isWord(leaf)) return leaf;
    end = leaf === words.at(-1) ? shifted.length : end + leaf.text.trim().length;
    const text = shifted.slice(start, end);
    start = end;
    return { ...leaf, text };
  });
}

/** The text before an element in its block. */
function textBefore(element: Element): string {
  let at: Element | null = element;
  while (at && !at.previousSibling) at = at.matches(containers) ? null : at.parentElement;
  return at?.previousSibling?.textContent ?? "";
}

/** Mails and messages have images of emoji. */
const emoji =
  /^(?:[\p{Extended_Pictographic}\p{Regional_Indicator}]|[#*\d]\ufe0f?\u20e3)[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{M}\p{Cf}]*$/u;

function describe(element: Element) {
  const first = (names: readonly string[], from: Element = element) =>
    names.map((name) => from.getAttribute(name)?.trim()).find(Boolean) ?? "";
  const isWeb = (name: string) => /^https?:/i.test(element.getAttribute(name) ?? "");
  const source = element.querySelector("source[src]");
  return {
    href:
      first(["src", "data-src", "data-lazy-src", "data-original", "data"].filter(isWeb)) ||
      (source ? first(["src"], source) : ""),
    words: first(["alt", "title", "aria-label"]),
    // Checklists have images of their boxes, pages drawings of their icons.
    isImage: element.matches("img, canvas, svg:has(text)") && !element.closest("[role=checkbox]"),
    isTracker: isTiny(element),
  };
}
