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
type ImageContent = { src: string; alt: string; width: number; height: number };

/** The looks of the content and its blocks, which the editor shares. */
export const bodyClass = "space-y-6 text-lg [&>p:first-child]:font-serif [&>p:first-child]:text-xl";
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
  image: "image mx-auto h-auto max-w-full rounded-lg",
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
    (html) => `<blockquote><p><strong>Remember this</strong></p><p>${html}</p></blockquote>`,
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
    parse({ src, alt, width, height }) {
      const isImage = typeof src === "string" && isReference(src) && typeof alt === "string";
      return isImage && isLength(width) && isLength(height) ? { src, alt, width, height } : null;
    },
    view: ({ src, alt, width, height }) => (
      <Image
        {...{ src, alt, width, height }}
        sizes="(min-width: 46rem) 42rem, 92vw"
        className={`my-10 ${blockClasses.image}`}
      />
    ),
    feed({ src, alt, width, height }, siteUrl) {
      const url = escapeXml(publicImageAddress(src, siteUrl));
      return `<p><img src="${url}" alt="${escapeXml(alt)}" width="${width}" height="${height}"></p>`;
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

function Note({ children }: { children: ReactNode }) {
  const label = useId();
  return (
    <div role="note" aria-labelledby={label} className={blockClasses.note}>
      <p id={label} className={blockClasses.noteLabel}>
        Remember this
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
      className={blockClasses.table}
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
  return (
    <div className={bodyClass}>
      {parseBlocks(content).map((block, index) => (
        // A block that changes becomes another element: a translator may have replaced the texts of the former one.
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a post have no id and never move.
        <Fragment key={`${index} ${JSON.stringify(block)}`}>{typeOf(block).view(block)}</Fragment>
      ))}
    </div>
  );
}
