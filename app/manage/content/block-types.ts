// How owners write each type of block: its mark in text, its element in the editor, what becomes it when pasted, and its
// button. All other text is paragraphs. What visitors and feed readers get is in app/posts/blocks.tsx.

import type { DOMOutputSpec } from "@tiptap/pm/model";
import { Heading2, type IconNode, ImagePlus, List, ListOrdered, Pin, Quote } from "lucide";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { isReference } from "../../config/image-address.ts";
import { type Block, blockClasses, type ImageSize } from "../../posts/blocks.tsx";
import { toReference } from "../images/image-reference.ts";

interface Button {
  label: string;
  icon: IconNode;
}

/** A type with words, whose lines start with a mark. */
export interface MarkedType {
  /** The position of its text: on one line without inline marks, on consecutive marked lines, or in items. */
  shape: "line" | "lines" | "items";
  /** What starts its lines, before a space. A group matches the number of an item. */
  mark: RegExp;
  /** What makes it while typing, if not any such mark. */
  typed?: RegExp;
  /** @param index of the line or item */
  write: (index: number) => string;
  /** What a line with its mark is called in the hint below the text. */
  called: string;
  element: string;
  /** How the editor shows it, with its text at 0; by default the element with the class of its type. */
  html?: DOMOutputSpec;
  /** The CSS selector of pasted elements that become this type; only `element` by default. */
  pasted?: string;
  button: Button;
}

/** A type without words, on a line of its own. */
interface WholeLineType<Shown extends Block> {
  line: RegExp;
  /** @returns null when the block could not be shown */
  read: (match: RegExpExecArray) => Shown | null;
  write: (block: Shown) => string;
  /** What people read in its place when they compare two versions. */
  describe: (block: Shown) => string;
  /** Its element in the editor, if it has no view of its own. */
  element?: string;
  /** The CSS selector of pasted elements that become this type. */
  pasted?: string;
  button: Button;
}

type WordedBlock = Extract<Block, { text: string } | { items: string[] }>;
export type MarkedTypeName = Exclude<WordedBlock["type"], "paragraph">;
export type TableBlock = Extract<Block, { type: "table" }>;
export type WholeLineBlock = Exclude<Block, WordedBlock | TableBlock>;
type WholeLineTypes = {
  [Name in WholeLineBlock["type"]]: WholeLineType<Extract<Block, { type: Name }>>;
};

export const markedTypes: Readonly<Record<MarkedTypeName, MarkedType>> = {
  heading: {
    shape: "line",
    mark: /#{1,6}/,
    write: () => "## ",
    called: "a heading",
    element: "h2",
    pasted: "h1, h2, h3, h4, h5, h6",
    button: { label: "Heading", icon: Heading2 },
  },
  list: {
    shape: "items",
    mark: /-/,
    write: () => "- ",
    called: "an item of a list",
    element: "ul",
    pasted: "ul",
    button: { label: "List", icon: List },
  },
  "numbered-list": {
    shape: "items",
    mark: /(\d{1,9})\./,
    typed: /1\./,
    write: (index) => `${index + 1}. `,
    called: "an item with a number",
    element: "ol",
    pasted: "ol",
    button: { label: "Numbered list", icon: ListOrdered },
  },
  quote: {
    shape: "lines",
    mark: />/,
    write: () => "> ",
    called: "a quote",
    element: "blockquote",
    pasted: "blockquote, [class*='MsoQuote'], [class*='MsoIntenseQuote']",
    button: { label: "Quote", icon: Quote },
  },
  note: {
    shape: "lines",
    mark: /!!/,
    write: () => "!! ",
    called: "a box",
    element: "div[role=note]",
    html: [
      "div",
      { role: "note", class: blockClasses.note },
      ["p", { class: blockClasses.noteLabel, contenteditable: "false" }, "Keep in mind"],
      ["p", { class: "mt-1.5" }, 0],
    ],
    button: { label: "Text in a box", icon: Pin },
  },
};

export const wholeLineTypes: Readonly<WholeLineTypes> = {
  image: {
    line: /^!\[((?:\\.|[^\\\]])*)\]\((\S+) "([1-9]\d{0,5})x([1-9]\d{0,5})(?: (half|portrait))?"\)\s*$/,
    read([, words = "", address = "", width, height, size]) {
      const src = toReference(address);
      if (!src || !isReference(src)) return null;
      const alt = words.replace(/\\([\\\]])/g, "$1").trim();
      const pixels = { width: Number(width), height: Number(height) };
      // The line has these sizes alone.
      return { type: "image", src, alt, ...pixels, ...(size && { size: size as ImageSize }) };
    },
    write({ src, alt, width, height, size }) {
      const words = onOneLine(alt).replace(/[\\\]]/g, "\\$&");
      const looks = `${width}x${height}${size ? ` ${size}` : ""}`;
      return `![${words}](${src.replace(/\s/g, encodeURIComponent)} "${looks}")`;
    },
    describe: ({ alt, src, size }) =>
      `[Image${size ? `, ${imageSizeNames[size].toLowerCase()}` : ""}: ${alt || src}]`,
    button: { label: "Image", icon: ImagePlus },
  },
};

export const imageSizeNames: Readonly<Record<ImageSize, string>> = {
  half: "Half as wide as the text",
  portrait: "Portrait beside the text",
};

export const markedTypeNames: readonly MarkedTypeName[] = keysOf(markedTypes);
export const wholeLineTypeNames: readonly WholeLineBlock["type"][] = keysOf(wholeLineTypes);

export function wholeLineType({ type }: WholeLineBlock): WholeLineType<WholeLineBlock> {
  // TypeScript does not know that a block fits the entry of its own type.
  return wholeLineTypes[type] as WholeLineType<WholeLineBlock>;
}

export function isWholeLine(block: { type: string }): block is WholeLineBlock {
  return Object.hasOwn(wholeLineTypes, block.type);
}

export function isListType(type: string): boolean {
  return markedTypeNames.some((name) => name === type && markedTypes[name].shape === "items");
}

export function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
