// The blocks of a post: how each type is stored, shown to visitors and sent to feed readers.
// How owners write it is in app/manage/content/block-types.ts, which visitors do not load.
import { Fragment, type ReactNode, useId } from "react";
import { keysOf } from "../../supabase/functions/_shared/object-keys.ts";
import { isReference, publicImageAddress } from "../config/image-address.ts";
import { escapeXml } from "../seo/xml.ts";
import { Image } from "../ui/image.tsx";
import {
  FormattedText,
  type Mark,
  type MarkedText,
  parseMarks,
  textToHtml,
} from "./formatted-text.tsx";

// Types, because interfaces are not assignable to JSON.
type TextContent = { text: string; marks?: Mark[] };
type ListContent = { items: string[]; itemMarks?: Mark[][] };
/** Each row has the same number of cells. With `header`, the first one names the columns. */
type TableContent = { rows: string[][]; rowMarks?: Mark[][][]; header?: true };
/** Without a size it is as wide as the text. */
type ImageContent = {
  src: string;
  alt: string;
  width: number;
  height: number;
  size?: ImageSize;
};
export type ImageSize = keyof typeof imageSizes;

/** The looks of smaller images: the width on a wide screen, and in feeds in pixels. */
export const imageSizes = {
  half: {
    className: "w-full sm:w-1/2",
    sizes: "(min-width: 46rem) 21rem, 92vw",
    feedWidth: 336,
  },
  // The text that follows it stands beside it.
  portrait: { className: "aspect-4/5 w-44", sizes: "11rem", feedWidth: 176 },
} as const;

/** The looks of the content and its blocks, which the editor shares. */
export const bodyClass =
  "space-y-6 text-lg [&>h2+*]:mt-0 [&>p:first-child]:font-serif [&>p:first-child]:text-xl";
export const blockClasses = {
  heading: "pt-6 text-2xl",
  paragraph: "whitespace-pre-line",
  list: "list-disc space-y-2.5 pl-6 marker:text-clay",
  // The padding has room for three digits.
  "numbered-list": "list-decimal space-y-2.5 pl-9 marker:font-semibold marker:text-clay",
  quote:
    "my-10 whitespace-pre-line border-t-2 border-clay pt-6 font-serif text-2xl text-evergreen sm:mx-6",
  note: "my-10 rounded-md border-l-4 border-clay bg-sage px-5 py-5 sm:px-7 sm:py-6",
  noteLabel: "text-sm font-semibold text-clay",
  image: "image h-auto max-w-full rounded-lg",
  table: "my-10 overflow-x-auto rounded-sm border-y border-line",
  rows: "w-full text-left text-base",
  cell: "min-w-28 px-4 py-3 align-top whitespace-pre-line tabular-nums",
  headerCell: "min-w-28 bg-sage px-4 py-3 align-top font-semibold whitespace-pre-line",
} as const;

/** The database has the same limits (`private.check_content_size`). A row that is shorter than others is filled up. */
export const maxTableColumns = 50;
export const maxTableCells = 5000;

export function fitsTable(rows: number, columns: number): boolean {
  return columns > 0 && columns <= maxTableColumns && rows * columns <= maxTableCells;
}

interface BlockType<Content> {
  /** The valid content of a stored block; null for a block that cannot be shown. */
  parse: (stored: Record<string, unknown>) => Content | null;
  view: (content: Content) => ReactNode;
  feed: (content: Content, siteUrl: string) => string;
}

const blockTypes = {
  heading: {
    parse: ({ text }) => (typeof text === "string" ? { text } : null),
    view: ({ text }) => <h2 className={blockClasses.heading}>{text}</h2>,
    feed: ({ text }) => `<h2>${escapeXml(text)}</h2>`,
  } satisfies BlockType<{ text: string }>,
  paragraph: textType(
    (text) => <p className={blockClasses.paragraph}>{text}</p>,
    (html) => `<p>${html}</p>`,
  ),
  list: listType(
    (items) => <ul className={blockClasses.list}>{items}</ul>,
    (html) => `<ul>${html}</ul>`,
  ),
  "numbered-list": listType(
    (items) => <ol className={blockClasses["numbered-list"]}>{items}</ol>,
    (html) => `<ol>${html}</ol>`,
  ),
  quote: textType(
    (text) => <blockquote className={blockClasses.quote}>{text}</blockquote>,
    (html) => `<blockquote><p>${html}</p></blockquote>`,
  ),
  note: textType(
    (text) => <Note>{text}</Note>,
    (html) => `<blockquote><p><strong>Keep in mind</strong></p><p>${html}</p></blockquote>`,
  ),
  table: {
    parse({ rows, rowMarks, header }) {
      if (!Array.isArray(rows) || !rows.every(isTexts)) return null;
      const width = rows.reduce((widest, { length }) => Math.max(widest, length), 0);
      if (!fitsTable(rows.length, width)) return null;
      const lists: unknown[] = Array.isArray(rowMarks) ? rowMarks : [];
      const filled = rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ""));
      const marks = filled.map((row, index) =>
        row.map((cell, at) => parseMarks(cell, Object(lists[index])[at])),
      );
      return {
        rows: filled,
        ...(marks.flat().some(({ length }) => length > 0) && { rowMarks: marks }),
        ...(header === true && { header }),
      };
    },
    view: (table) => <Table {...table} />,
    feed(table, siteUrl) {
      const html = cellsOf(table).map((row, index) => {
        const tag = table.header && index === 0 ? "th" : "td";
        return `<tr>${row.map((cell) => `<${tag}>${textToHtml(cell, siteUrl)}</${tag}>`).join("")}</tr>`;
      });
      return `<table>${html.join("")}</table>`;
    },
  } satisfies BlockType<TableContent>,
  image: {
    parse({ src, alt, width, height, size }) {
      const isImage = typeof src === "string" && isReference(src) && typeof alt === "string";
      if (!isImage || !isLength(width) || !isLength(height)) return null;
      const known = keysOf(imageSizes).find((name) => name === size);
      return { src, alt, width, height, ...(known && { size: known }) };
    },
    view: (image) => <ContentImage image={image} className="my-10" />,
    feed({ src, alt, width, height, size }, siteUrl) {
      const url = escapeXml(publicImageAddress(src, siteUrl));
      const shown = size ? Math.min(width, imageSizes[size].feedWidth) : width;
      const scaled = Math.max(1, Math.round((height * shown) / width));
      return `<p><img src="${url}" alt="${escapeXml(alt)}" width="${shown}" height="${scaled}"></p>`;
    },
  } satisfies BlockType<ImageContent>,
};

type BlockTypes = typeof blockTypes;

export type Block = {
  [Type in keyof BlockTypes]: { type: Type } & NonNullable<ReturnType<BlockTypes[Type]["parse"]>>;
}[keyof BlockTypes];

function typeOf(block: Block): BlockType<Block> {
  // TypeScript does not know that a block fits the entry of its own type.
  return blockTypes[block.type] as unknown as BlockType<Block>;
}

function textType(
  view: (text: ReactNode) => ReactNode,
  feed: (html: string) => string,
): BlockType<TextContent> {
  return {
    parse({ text, marks }) {
      if (typeof text !== "string") return null;
      const parsed = parseMarks(text, marks);
      return { text, ...(parsed.length > 0 && { marks: parsed }) };
    },
    view: ({ text, marks }) => view(<FormattedText text={text} marks={marks} />),
    feed: (content, siteUrl) => feed(textToHtml(content, siteUrl)),
  };
}

function listType(
  view: (items: ReactNode) => ReactNode,
  feed: (html: string) => string,
): BlockType<ListContent> {
  return {
    parse({ items, itemMarks }) {
      if (!isTexts(items)) return null;
      const lists: unknown[] = Array.isArray(itemMarks) ? itemMarks : [];
      const parsed = items.map((item, index) => parseMarks(item, lists[index]));
      return { items, ...(parsed.some(({ length }) => length > 0) && { itemMarks: parsed }) };
    },
    view: (list) =>
      view(
        textsOf(list).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no id and never move.
          <li key={index} className="whitespace-pre-line">
            <FormattedText {...item} />
          </li>
        )),
      ),
    feed: (list, siteUrl) =>
      feed(
        textsOf(list)
          .map((item) => `<li>${textToHtml(item, siteUrl)}</li>`)
          .join(""),
      ),
  };
}

export function cellsOf({ rows, rowMarks }: TableContent): MarkedText[][] {
  return rows.map((row, index) =>
    row.map((text, at) => ({ text, marks: rowMarks?.[index]?.[at] })),
  );
}

/** The texts of a block: one, its items, its cells, or none. */
export function textsOf(block: Block | TextContent | ListContent): MarkedText[] {
  if ("text" in block) return [block];
  if ("rows" in block) return cellsOf(block).flat();
  if (!("items" in block)) return [];
  return block.items.map((text, index) => ({ text, marks: block.itemMarks?.[index] }));
}

interface ContentImageProps {
  image: ImageContent;
  /** Its margins. */
  className?: string;
}

export function ContentImage({ image, className = "" }: ContentImageProps) {
  const { src, alt, width, height, size } = image;
  const look = size && imageSizes[size];
  return (
    <Image
      {...{ src, alt, width, height }}
      sizes={look?.sizes ?? "(min-width: 46rem) 42rem, 92vw"}
      className={`${blockClasses.image} ${look?.className ?? "mx-auto"} ${className}`}
    />
  );
}

/** A portrait with the text about it: beside it, below it on a phone. */
function WithPortrait({ portrait, text }: { portrait: ImageContent; text: readonly Block[] }) {
  return (
    <div className="my-10 grid gap-x-8 gap-y-5 sm:grid-cols-[11rem_1fr]">
      <ContentImage image={portrait} />
      <div className="space-y-4 [&>h2:first-child]:pt-0">{viewsOf(text)}</div>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  const label = useId();
  return (
    <div role="note" aria-labelledby={label} className={blockClasses.note}>
      <p id={label} className={blockClasses.noteLabel}>
        Keep in mind
      </p>
      <p className="mt-1.5 whitespace-pre-line">{children}</p>
    </div>
  );
}

/** On a phone, it scrolls within itself. */
function Table(table: TableContent) {
  const [first = [], ...others] = cellsOf(table);
  const body = table.header ? others : [first, ...others];
  const names = first.flatMap(({ text }) => text || []);
  return (
    <section
      aria-label={table.header ? `Table: ${names.join(", ").slice(0, 99)}` : "Table"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      data-scrolls
      className={`scrolls ${blockClasses.table}`}
    >
      <table className={blockClasses.rows}>
        {table.header && (
          <thead className="border-b border-line">
            <tr>{toCells(first, blockClasses.headerCell)}</tr>
          </thead>
        )}
        <tbody className="divide-y divide-line">
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table have no id and never move.
            <tr key={index}>{toCells(row)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function toCells(row: readonly MarkedText[], headerClass?: string): ReactNode {
  return row.map((cell, index) => {
    // An empty cell names no column.
    const Cell = headerClass && cell.text ? "th" : "td";
    // Long texts make no tall rows on a phone.
    const width = cell.text.length > 48 ? "min-w-48" : "";
    return (
      <Cell
        // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row have no id and never move.
        key={index}
        scope={Cell === "th" ? "col" : undefined}
        className={`${headerClass ?? blockClasses.cell} ${width}`}
      >
        <FormattedText {...cell} />
      </Cell>
    );
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isLength(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}

/** Parses stored content. Skips blocks of an unknown type or shape, and invalid marks. */
export function parseBlocks(content: unknown): Block[] {
  return Array.isArray(content) ? content.flatMap((stored) => parseBlock(Object(stored))) : [];
}

function parseBlock(stored: Record<string, unknown>): Block[] {
  const { type } = stored;
  const known = keysOf(blockTypes).find((name) => name === type);
  const content = known && blockTypes[known].parse(stored);
  // Its type is that of the entry that parsed it.
  return content ? [{ type, ...content } as Block] : [];
}

/** The text of the blocks without formatting, for counting its words. */
export function blocksToPlainText(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => textsOf(block).map(({ text }) => text)).join("\n");
}

/** The blocks as HTML for feed readers, with the stored text escaped. */
export function blocksToHtml(siteUrl: string, blocks: readonly Block[]): string {
  return blocks.map((block) => typeOf(block).feed(block, siteUrl)).join("\n");
}

export function PostBody({ content }: { content: unknown }) {
  return <div className={bodyClass}>{viewsOf(parseBlocks(content))}</div>;
}

function viewsOf(blocks: readonly Block[]): ReactNode[] {
  const views: ReactNode[] = [];
  let at = 0;
  while (at < blocks.length) {
    const [block, ...text] = blocks.slice(at, endOfPart(blocks, at));
    if (!block) break;
    // A block that changes becomes another element: a translator may have replaced the texts of the former one.
    const key = `${at} ${JSON.stringify([block, ...text])}`;
    views.push(
      <Fragment key={key}>
        {block.type === "image" && text.length > 0 ? (
          <WithPortrait portrait={block} text={text} />
        ) : (
          typeOf(block).view(block)
        )}
      </Fragment>,
    );
    at += 1 + text.length;
  }
  return views;
}

/** Where the part that starts at a block ends. A portrait has the text after it, up to the next heading, image or table. */
function endOfPart(blocks: readonly Block[], start: number): number {
  const first = blocks[start];
  if (first?.type !== "image" || first.size !== "portrait") return start + 1;
  // The heading directly after it is the name.
  let end = start + (blocks[start + 1]?.type === "heading" ? 2 : 1);
  while (end < blocks.length && !["heading", "image", "table"].includes(blocks[end]?.type ?? "")) {
    end += 1;
  }
  return end;
}
