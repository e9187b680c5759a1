// Turns pasted HTML, as from Word, Google Docs or a web page, into blocks without its styles.
import { type Block, isLinkTarget, type Mark } from "../../posts/post-content.ts";
import { normalizeMarks } from "./inline-marks.ts";

/** Null when the HTML has no structure that plain text lacks. */
export function pastedBlocks(html: string): Block[] | null {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  for (const hidden of body.querySelectorAll("script, title, meta, link, template")) {
    hidden.remove();
  }
  if (
    !body.querySelector(
      "h1, h2, h3, h4, h5, h6, ul, ol, blockquote, p, a[href], b, strong, i, em, [data-style*='font-weight'], [data-style*='italic'], .MsoListParagraph, [class*='MsoListParagraph']",
    )
  ) {
    return null;
  }
  const blocks: Block[] = [];
  readChildren(body, blocks);
  return blocks.length > 0 ? joinLists(blocks) : null;
}

/** The Content Security Policy forbids inline styles, also in a document that is only read. */
function withoutStyles(html: string): string {
  return html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/\sstyle=/gi, " data-style=");
}

const headings = /^H[1-6]$/;
const containers =
  "address, article, aside, blockquote, div, dd, dl, dt, figure, footer, h1, h2, h3, h4, h5, h6, header, li, main, nav, ol, p, pre, section, table, tbody, td, th, thead, tr, ul";

function readChildren(parent: Element, blocks: Block[]): void {
  let inline: Node[] = [];
  const endParagraph = () => {
    pushText("paragraph", inline, blocks);
    inline = [];
  };
  for (const node of parent.childNodes) {
    const isBlock =
      node instanceof Element && (node.matches(containers) || node.querySelector(containers));
    if (!isBlock) {
      inline.push(node);
      continue;
    }
    endParagraph();
    readBlock(node, blocks);
  }
  endParagraph();
}

function readBlock(element: Element, blocks: Block[]): void {
  const { tagName } = element;
  if (headings.test(tagName)) {
    const { text } = inlineOf([element]);
    if (text) blocks.push({ type: "heading", text: text.replace(/\s*\n\s*/g, " ") });
  } else if (tagName === "UL" || tagName === "OL") {
    readList(element, tagName === "OL" ? "numbered-list" : "list", blocks);
  } else if (tagName === "BLOCKQUOTE") {
    pushText("quote", [element], blocks);
  } else if (element.matches("[class*='MsoListParagraph']")) {
    readWordItem(element, blocks);
  } else if (element.querySelector(containers)) {
    readChildren(element, blocks);
  } else {
    pushText("paragraph", [element], blocks);
  }
}

/** Nested lists continue the outer one: a post has lists of one level. */
function readList(list: Element, type: "list" | "numbered-list", blocks: Block[]): void {
  const items = [...list.querySelectorAll("li")].map((item) => {
    const own = [...item.childNodes].filter(
      (node) => !(node instanceof Element && node.matches("ul, ol")),
    );
    return inlineOf(own);
  });
  pushItems(
    type,
    items.filter(({ text }) => text),
    blocks,
  );
}

/** Word writes items as paragraphs that start with a bullet or a number. */
function readWordItem(element: Element, blocks: Block[]): void {
  const { text, marks } = inlineOf([element]);
  const bullet = /^(?:(\d{1,3})[.)]|[^\p{L}\p{N}\s]|o)\s+/u.exec(text);
  const cut = bullet?.[0].length ?? 0;
  const shifted = marks.flatMap((mark) => {
    const start = Math.max(0, mark.start - cut);
    return mark.end > cut ? [{ ...mark, start, end: mark.end - cut }] : [];
  });
  pushItems(
    bullet?.[1] ? "numbered-list" : "list",
    [{ text: text.slice(cut), marks: shifted }],
    blocks,
  );
}

interface Inline {
  text: string;
  marks: Mark[];
}

function pushItems(type: "list" | "numbered-list", items: Inline[], blocks: Block[]): void {
  if (items.length === 0) return;
  const itemMarks = items.map(({ marks }) => marks);
  blocks.push({
    type,
    items: items.map(({ text }) => text),
    ...(itemMarks.some(({ length }) => length > 0) && { itemMarks }),
  });
}

function pushText(type: "paragraph" | "quote", nodes: readonly Node[], blocks: Block[]): void {
  const { text, marks } = inlineOf(nodes);
  if (text) blocks.push({ type, text, ...(marks.length > 0 && { marks }) });
}

/** Lists that follow each other directly come from items that Word wrote as paragraphs. */
function joinLists(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last && "items" in last && "items" in block && last.type === block.type) {
      const marks = [...marksOf(last), ...marksOf(block)];
      last.items = [...last.items, ...block.items];
      if (marks.some(({ length }) => length > 0)) last.itemMarks = marks;
    } else {
      joined.push({ ...block });
    }
  }
  return joined;
}

function marksOf({ items, itemMarks = [] }: { items: string[]; itemMarks?: Mark[][] }): Mark[][] {
  return items.map((_item, index) => itemMarks[index] ?? []);
}

/** The text of inline nodes with its marks. White space is what a browser would show. */
function inlineOf(nodes: readonly Node[]): Inline {
  let text = "";
  const marks: Mark[] = [];

  function read(node: Node): void {
    if (node instanceof Text) {
      const piece = node.data.replace(/[\s\u00a0]+/g, " ");
      text += text === "" || /\s$/.test(text) ? piece.trimStart() : piece;
      return;
    }
    if (!(node instanceof HTMLElement)) return;
    if (node.tagName === "BR") {
      text = `${text.trimEnd()}\n`;
      return;
    }
    const start = text.length;
    for (const child of node.childNodes) read(child);
    if (node.matches("p, div, li") && text) text = `${text.trimEnd()}\n`;
    const end = text.trimEnd().length;
    if (end <= start) return;
    const style = node.dataset.style ?? "";
    const isNormal = /font-weight:\s*(?:normal|[1-5]00)/i.test(style);
    if (
      /font-weight:\s*(?:bold|[6-9]00)/i.test(style) ||
      (node.matches("b, strong") && !isNormal)
    ) {
      marks.push({ type: "bold", start, end });
    }
    if (/font-style:\s*italic/i.test(style) || node.matches("i, em")) {
      marks.push({ type: "italic", start, end });
    }
    const href = node.getAttribute("href") ?? "";
    if (node.tagName === "A" && isLinkTarget(href)) marks.push({ type: "link", start, end, href });
  }

  for (const node of nodes) read(node);
  const trimmed = text.trimEnd();
  const within = marks.map((mark) => ({ ...mark, end: Math.min(mark.end, trimmed.length) }));
  return { text: trimmed, marks: normalizeMarks(trimmed, within) };
}
